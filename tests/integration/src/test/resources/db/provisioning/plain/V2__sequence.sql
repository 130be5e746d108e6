CREATE SEQUENCE counter;
SELECT setval('counter', 50);
INSERT INTO entry (id, text) VALUES (nextval('counter'), 'two
lines');
