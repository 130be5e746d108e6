INSERT INTO customer (name) VALUES ('Ada');
INSERT INTO customer (name) VALUES ('Bob');
