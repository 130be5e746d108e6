-- Runs in the schema of every shard, and names none.
CREATE SEQUENCE users_id_seq MINVALUE 0;
CREATE TABLE users (
    id   bigint PRIMARY KEY DEFAULT next_id('users_id_seq'),
    name varchar(40) NOT NULL UNIQUE -- the name chooses the shard, so it is unique everywhere
);

CREATE SEQUENCE photo_id_seq MINVALUE 0;
CREATE TABLE photo (
    id        bigint PRIMARY KEY DEFAULT next_id('photo_id_seq'),
    author_id bigint NOT NULL REFERENCES users,
    caption   varchar(2200) NOT NULL
);
CREATE INDEX photo_by_author ON photo (author_id, id);

CREATE SEQUENCE photo_like_id_seq MINVALUE 0;
CREATE TABLE photo_like (
    id       bigint PRIMARY KEY DEFAULT next_id('photo_like_id_seq'),
    photo_id bigint NOT NULL REFERENCES photo,
    user_id  bigint NOT NULL, -- of any shard, hence no reference
    UNIQUE (photo_id, user_id)
);

CREATE SEQUENCE comment_id_seq MINVALUE 0;
CREATE TABLE comment (
    id       bigint PRIMARY KEY DEFAULT next_id('comment_id_seq'),
    photo_id bigint NOT NULL REFERENCES photo,
    user_id  bigint NOT NULL, -- of any shard, hence no reference
    text     varchar(2200) NOT NULL
);
CREATE INDEX comment_by_photo ON comment (photo_id, id);
