CREATE TABLE setting (
  name text PRIMARY KEY,
  content text NOT NULL
);

CREATE SEQUENCE theme_seq INCREMENT 50;
CREATE TABLE theme (
  id bigint PRIMARY KEY,
  title text NOT NULL,
  setting_name text REFERENCES setting
);
