-- Each row says whose it is, so that tests know it without following any reference.
CREATE SEQUENCE member_id_seq MINVALUE 0;
CREATE TABLE member (
  id bigint PRIMARY KEY DEFAULT next_id('member_id_seq'),
  whose text NOT NULL,
  pinned_id bigint,
  friend_id bigint REFERENCES member
);
CREATE TABLE member_details (member_id bigint PRIMARY KEY REFERENCES member, address text);
CREATE TABLE member_emails (member_id bigint NOT NULL REFERENCES member, email text);
CREATE INDEX ON member_emails (member_id);

CREATE SEQUENCE post_id_seq MINVALUE 0;
CREATE TABLE post (
  id bigint PRIMARY KEY DEFAULT next_id('post_id_seq'),
  author_id bigint NOT NULL REFERENCES member,
  whose text NOT NULL,
  stars double precision,
  extra json,
  picture bytea,
  written timestamptz DEFAULT now(),
  size int GENERATED ALWAYS AS (length(whose)) STORED
);
CREATE INDEX ON post (author_id);
ALTER TABLE member ADD FOREIGN KEY (pinned_id) REFERENCES post;

CREATE SEQUENCE label_id_seq MINVALUE 0;
CREATE TABLE label (
  id bigint PRIMARY KEY DEFAULT next_id('label_id_seq'),
  owner_id bigint NOT NULL REFERENCES member,
  whose text NOT NULL
);
CREATE TABLE post_labels (
  post_id bigint REFERENCES post,
  labels_id bigint REFERENCES label,
  whose text,
  PRIMARY KEY (post_id, labels_id)
);

CREATE SEQUENCE reply_id_seq MINVALUE 0;
CREATE TABLE reply (
  id bigint PRIMARY KEY DEFAULT next_id('reply_id_seq'),
  post_id bigint NOT NULL REFERENCES post,
  parent_id bigint REFERENCES reply,
  writer_id bigint,
  whose text NOT NULL
);
CREATE INDEX ON reply (post_id);
CREATE INDEX ON reply (parent_id);

-- Without a foreign key: the mapping alone knows the reference.
CREATE SEQUENCE memo_id_seq MINVALUE 0;
CREATE TABLE memo (
  id bigint PRIMARY KEY DEFAULT next_id('memo_id_seq'),
  member_id bigint NOT NULL,
  whose text NOT NULL
);

CREATE TABLE ticket (id uuid PRIMARY KEY, holder_id bigint NOT NULL REFERENCES member, whose text NOT NULL);

CREATE SEQUENCE folder_id_seq MINVALUE 0;
CREATE TABLE folder (
  id bigint PRIMARY KEY DEFAULT next_id('folder_id_seq'),
  parent_id bigint REFERENCES folder,
  whose text NOT NULL
);

-- Tables that are not mapped.
CREATE TABLE login (member_id bigint NOT NULL REFERENCES member ON DELETE CASCADE, whose text NOT NULL);
CREATE TABLE weather (whose text NOT NULL);
CREATE TABLE event_publication (id uuid PRIMARY KEY, serialized_event text);
