CREATE FUNCTION caption_of(wanted bigint) RETURNS text LANGUAGE sql STABLE AS
  'SELECT caption FROM ${flyway:defaultSchema}.photo WHERE id = $1';
