CREATE TYPE gadget_state AS ENUM ('NEW', 'USED');
CREATE SEQUENCE gadget_id_seq MINVALUE 0;
CREATE TABLE gadget (
  id         bigint PRIMARY KEY DEFAULT next_id('gadget_id_seq'),
  version    integer NOT NULL,
  name       text NOT NULL,
  kind       text NOT NULL,
  state      gadget_state NOT NULL,
  tags       text[] NOT NULL,
  data       jsonb NOT NULL,
  width      integer NOT NULL,
  height     integer NOT NULL,
  retired    boolean NOT NULL,
  created_at timestamptz NOT NULL,
  changed_by text NOT NULL
);

CREATE SEQUENCE part_id_seq MINVALUE 0;
CREATE TABLE part (
  id        bigint PRIMARY KEY DEFAULT next_id('part_id_seq'),
  gadget_id bigint NOT NULL REFERENCES gadget,
  deleted   boolean NOT NULL
);

CREATE SEQUENCE ledger_id_seq MINVALUE 0;
CREATE TABLE ledger (
  id   bigint PRIMARY KEY DEFAULT next_id('ledger_id_seq'),
  text text NOT NULL
);
