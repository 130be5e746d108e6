--liquibase formatted sql

--changeset kim:caption splitStatements:false
CREATE FUNCTION caption_of(photo_id bigint) RETURNS text LANGUAGE plpgsql STABLE AS $body$
BEGIN
  RETURN (SELECT caption FROM photo WHERE id = photo_id);
END
$body$;

--changeset kim:caption-trigger splitStatements:false
CREATE FUNCTION trim_caption() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  NEW.caption := btrim(NEW.caption);
  RETURN NEW;
END
$body$;
CREATE TRIGGER trim_caption BEFORE INSERT ON photo FOR EACH ROW EXECUTE FUNCTION trim_caption();
