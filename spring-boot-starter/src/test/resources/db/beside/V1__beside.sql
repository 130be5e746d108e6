CREATE TABLE beside (id bigint PRIMARY KEY);
