CREATE OR REPLACE VIEW greetings AS SELECT code, '${greeting}' || name AS greeting FROM country;
