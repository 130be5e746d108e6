-- The shard's database has a copy of the locations.
ALTER TABLE photo ADD COLUMN location_id int REFERENCES sharded_global.location;
