CREATE UNIQUE INDEX CONCURRENTLY country_name ON country (name);
