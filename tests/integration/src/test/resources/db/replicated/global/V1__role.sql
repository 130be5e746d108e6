CREATE TABLE role (id int PRIMARY KEY, name text UNIQUE);
