-- A ';' in a comment /* and an open one
/* a /* nested; */ ' */
CREATE TABLE entry (id bigint DEFAULT 7, text text, body jsonb, UNIQUE (text) DEFERRABLE INITIALLY DEFERRED);
CREATE TABLE log (text text);
CREATE FUNCTION logged() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO log VALUES (NEW.text || ';' || $x$;$x$);
  RETURN NEW;
END;
$body$;
CREATE TRIGGER logged AFTER INSERT ON entry FOR EACH ROW EXECUTE FUNCTION logged();
CREATE RULE twice AS ON INSERT TO log DO ALSO (INSERT INTO entry (id) SELECT 1 WHERE false; INSERT INTO entry (id) SELECT 2 WHERE false);
INSERT INTO entry VALUES (1, 'it''s; ?', '{"a": [1]}');
INSERT INTO entry (text) SELECT E'a\'b;' FROM entry WHERE body ? 'a';
INSERT INTO entry (text) VALUES (current_schema()), ('${flyway:filename}');
SELECT 1 -- no semicolon
