CREATE SEQUENCE member_id_seq MINVALUE 0;
CREATE TABLE member (
  id bigint PRIMARY KEY DEFAULT next_id('member_id_seq'),
  name text NOT NULL,
  country_code text,
  plan_id bigint
);
