CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE SEQUENCE photo_id_seq MINVALUE 0;
-- One column of each kind that a copy might change: generated, identity, enum, array, padded, floating, large.
CREATE TABLE photo (
  id bigint PRIMARY KEY DEFAULT next_id('photo_id_seq'),
  number bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  caption text NOT NULL,
  shout text GENERATED ALWAYS AS (upper(caption)) STORED,
  mood mood DEFAULT 'good',
  tags text[],
  code char(5),
  ratio double precision,
  taken timestamptz DEFAULT now(),
  large text,
  changes int NOT NULL DEFAULT 0);
ALTER TABLE photo ALTER COLUMN large SET STORAGE EXTERNAL;
CREATE INDEX photo_caption ON photo (caption);
CREATE SEQUENCE likes_id_seq MINVALUE 0;
CREATE TABLE likes (
  id bigint PRIMARY KEY DEFAULT next_id('likes_id_seq'),
  photo_id bigint NOT NULL REFERENCES photo ON DELETE CASCADE,
  answers bigint REFERENCES likes DEFERRABLE);
-- Without a key.
CREATE TABLE note (body text, code char(5), data jsonb);
CREATE TABLE visit (day date NOT NULL, visitor text, PRIMARY KEY (day, visitor)) PARTITION BY RANGE (day);
CREATE TABLE visit_2026 PARTITION OF visit FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
CREATE TABLE visit_later PARTITION OF visit DEFAULT;
CREATE TABLE audit (photo_id bigint NOT NULL, number bigserial PRIMARY KEY);
-- Would write each row twice, if it fired for copied rows.
CREATE FUNCTION audited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('INSERT INTO %I.audit (photo_id) VALUES ($1)', TG_TABLE_SCHEMA) USING NEW.id;
  RETURN NEW;
END
$$;
CREATE TRIGGER photo_audit AFTER INSERT ON photo FOR EACH ROW EXECUTE FUNCTION audited();
