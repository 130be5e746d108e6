ALTER TABLE photo ADD COLUMN likes no_such_type;
