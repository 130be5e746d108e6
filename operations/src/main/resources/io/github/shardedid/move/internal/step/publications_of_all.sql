-- The publications of all tables of the database.
SELECT string_agg(pubname, ', ') FROM pg_publication WHERE puballtables AND (pubupdate OR pubdelete)
