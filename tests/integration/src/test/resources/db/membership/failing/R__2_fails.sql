CREATE VIEW failing AS SELECT nothing FROM country;
