CREATE SEQUENCE person_id_seq MINVALUE 0;
CREATE TABLE person (
  id bigint PRIMARY KEY DEFAULT next_id('person_id_seq'),
  country_id bigint REFERENCES sharded_global."Country"
);
CREATE TABLE person_roles (
  person_id bigint REFERENCES person,
  roles_id int REFERENCES sharded_global.role,
  PRIMARY KEY (person_id, roles_id)
);
