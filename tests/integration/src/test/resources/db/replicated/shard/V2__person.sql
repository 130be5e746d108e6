CREATE SEQUENCE person_id_seq MINVALUE 0;
CREATE TABLE person (id bigint PRIMARY KEY DEFAULT next_id('person_id_seq'), role_id int REFERENCES sharded_global.role);
CREATE TABLE person_role (person_id bigint REFERENCES person, roles_id int REFERENCES sharded_global.role, PRIMARY KEY (person_id, roles_id));
