CREATE TABLE country (
  code text PRIMARY KEY,
  name text NOT NULL
);
INSERT INTO country VALUES ('it', 'Italy'), ('fr', 'France');
