CREATE TABLE country (code text PRIMARY KEY);
INSERT INTO country VALUES ('DE'), ('FR');

CREATE TABLE voucher (code text PRIMARY KEY, country text REFERENCES country);
