INSERT INTO length VALUES (interval '1 hour');
