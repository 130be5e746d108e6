-- The shard's database has a copy of the places.
ALTER TABLE photo ADD COLUMN place_id int REFERENCES sharded_global.place;
