INSERT INTO country (code) VALUES ('DE'), ('FR'), ('PL');
