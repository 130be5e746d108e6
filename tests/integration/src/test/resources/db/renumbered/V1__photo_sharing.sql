CREATE SEQUENCE users_id_seq MINVALUE 0;
CREATE TABLE users (
    id     bigint PRIMARY KEY DEFAULT next_id('users_id_seq'),
    old_id bigint UNIQUE,
    name   text NOT NULL
);

CREATE SEQUENCE photo_id_seq MINVALUE 0;
CREATE TABLE photo (
    id        bigint PRIMARY KEY DEFAULT next_id('photo_id_seq'),
    author_id bigint NOT NULL REFERENCES users,
    caption   text NOT NULL
);
