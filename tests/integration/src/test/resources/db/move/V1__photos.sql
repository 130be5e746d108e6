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
-- Indexes that a move makes again, ...
CREATE UNIQUE INDEX photo_odd ON photo (lower(caption) text_pattern_ops DESC NULLS LAST, id) INCLUDE (taken) WITH (fillfactor = 70) WHERE id > 0;
CREATE INDEX likes_photo ON likes USING brin (photo_id) WITH (pages_per_range = 7);
-- ... and such that it keeps
CREATE FUNCTION short(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT left($1, 3)';
CREATE INDEX photo_short ON photo (short(caption));
CREATE INDEX photo_comment ON photo (taken);
COMMENT ON INDEX photo_comment IS 'kept';
CREATE INDEX photo_statistics ON photo (length(caption));
ALTER INDEX photo_statistics ALTER COLUMN 1 SET STATISTICS 500;
CREATE INDEX likes_cluster ON likes (stars, id);
ALTER TABLE likes CLUSTER ON likes_cluster;
CREATE UNIQUE INDEX likes_refers ON likes (photo_id, id);
CREATE TABLE remark (id bigint PRIMARY KEY, photo_id bigint, like_id bigint, FOREIGN KEY (photo_id, like_id) REFERENCES likes (photo_id, id),
  period int4range, EXCLUDE USING gist (period WITH &&), UNIQUE (photo_id, id));
CREATE INDEX note_body ON note (body);
CREATE INDEX visit_visitor ON visit (visitor);
