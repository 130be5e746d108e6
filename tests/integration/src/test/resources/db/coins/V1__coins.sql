CREATE TABLE coin (code text PRIMARY KEY, words text);
INSERT INTO coin VALUES ('EUR', 'of all');
