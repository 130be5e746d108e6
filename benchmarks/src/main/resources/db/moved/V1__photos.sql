CREATE SEQUENCE photo_id_seq MINVALUE 0;
CREATE TABLE photo (
    id      bigint PRIMARY KEY DEFAULT next_id('photo_id_seq'),
    user_id bigint NOT NULL,
    caption text,
    created timestamptz NOT NULL DEFAULT now(),
    data    text
);
CREATE INDEX photo_user ON photo (user_id, id);

CREATE SEQUENCE remark_id_seq MINVALUE 0;
CREATE TABLE remark (
    id       bigint PRIMARY KEY DEFAULT next_id('remark_id_seq'),
    photo_id bigint NOT NULL REFERENCES photo,
    text     text NOT NULL
);
CREATE INDEX remark_photo ON remark (photo_id, id);
