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

CREATE TABLE login (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL UNIQUE,
  nickname text NOT NULL UNIQUE,
  user_id bigint NOT NULL
);
