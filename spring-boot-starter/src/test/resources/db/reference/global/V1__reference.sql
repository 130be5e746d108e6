CREATE TABLE role (id int PRIMARY KEY, name text NOT NULL UNIQUE);
INSERT INTO role VALUES (1, 'admin'), (2, 'guest');
CREATE TABLE "Country" (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "Order" int NOT NULL DEFAULT 0, name varchar(60) NOT NULL);
CREATE TABLE keyless (id int NOT NULL);
