CREATE SEQUENCE photo_id_seq MINVALUE 0;
CREATE TABLE photo (id bigint PRIMARY KEY DEFAULT next_id('photo_id_seq'), caption text, taken timestamptz DEFAULT now());
CREATE INDEX photo_caption ON photo (caption);
CREATE SEQUENCE likes_id_seq MINVALUE 0;
CREATE TABLE likes (
  id bigint PRIMARY KEY DEFAULT next_id('likes_id_seq'),
  photo_id bigint NOT NULL REFERENCES photo,
  stars numeric);
CREATE TABLE note (number bigserial, body text);
CREATE TABLE visit (day date NOT NULL, visitor text, PRIMARY KEY (day, visitor)) PARTITION BY RANGE (day);
CREATE TABLE visit_2026 PARTITION OF visit FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE TABLE visit_later PARTITION OF visit DEFAULT;
CREATE SEQUENCE never_used START 7;
INSERT INTO note (body) VALUES ('made by the migration');
DO $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO PUBLIC', current_schema());
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO pg_monitor WITH GRANT OPTION', current_schema());
END
$$;
