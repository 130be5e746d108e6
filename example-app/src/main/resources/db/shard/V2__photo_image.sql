-- The picture of a photo that was uploaded, in the photo's shard. A photo without one is drawn from its id.
CREATE TABLE photo_image (
    photo_id     bigint PRIMARY KEY REFERENCES photo,
    content_type varchar(20) NOT NULL,
    content      bytea NOT NULL,
    thumbnail    bytea NOT NULL -- always image/jpeg
);
