CREATE SEQUENCE member_id_seq MINVALUE 0;
CREATE TABLE member (
  id bigint PRIMARY KEY DEFAULT next_id('member_id_seq'),
  email text,
  name text
);

CREATE SEQUENCE page_id_seq MINVALUE 0;
CREATE TABLE page (
  id bigint PRIMARY KEY DEFAULT next_id('page_id_seq'),
  kind text NOT NULL,
  owner_id bigint REFERENCES member,
  slug text,
  code text,
  number int
);

CREATE SEQUENCE guest_id_seq MINVALUE 0;
CREATE TABLE guest (
  id bigint PRIMARY KEY DEFAULT next_id('guest_id_seq'),
  name text
);
