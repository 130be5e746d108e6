-- The uploaded picture of a photo, in the photo's shard. For a photo without one, a picture is generated from its id.
CREATE TABLE photo_image (
    photo_id     bigint PRIMARY KEY REFERENCES photo,
    content_type varchar(20) NOT NULL,
    content      bytea NOT NULL,
    thumbnail    bytea NOT NULL -- always image/jpeg
);
