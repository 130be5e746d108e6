CREATE TABLE late (id bigint PRIMARY KEY);
