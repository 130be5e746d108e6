CREATE SEQUENCE shop_id_seq AS integer MINVALUE 0;
CREATE TABLE shop (
  id integer PRIMARY KEY DEFAULT next_id('shop_id_seq'),
  version integer NOT NULL DEFAULT 0,
  name text NOT NULL
);

CREATE SEQUENCE article_id_seq MINVALUE 0;
CREATE TABLE article (
  id integer PRIMARY KEY DEFAULT next_id('article_id_seq'),
  shop_id integer NOT NULL REFERENCES shop,
  name text NOT NULL
);

CREATE TABLE article_tags (
  article_id integer NOT NULL REFERENCES article,
  tag text NOT NULL,
  PRIMARY KEY (article_id, tag)
);

CREATE SEQUENCE visit_id_seq MINVALUE 0;
CREATE TABLE visit (
  id integer PRIMARY KEY DEFAULT next_id('visit_id_seq'),
  shop_id integer NOT NULL
);

CREATE SEQUENCE receipt_id_seq MINVALUE 0;
CREATE TABLE receipt (
  id bigint PRIMARY KEY DEFAULT next_id('receipt_id_seq'),
  shop_id integer NOT NULL
);
