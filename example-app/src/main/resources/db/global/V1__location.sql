-- Runs in the schema of the global entities, in the global database. PostgreSQL replicates the table to the other databases.
CREATE TABLE location (
    id   int PRIMARY KEY,
    name varchar(60) NOT NULL UNIQUE
);
INSERT INTO location VALUES (1, 'Lauterbrunnen'), (2, 'Bivio'), (3, 'Soglio'), (4, 'Chamonix'), (5, 'Bled'), (6, 'Vernazza');
