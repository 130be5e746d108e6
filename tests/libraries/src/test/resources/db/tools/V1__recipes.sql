CREATE SEQUENCE recipe_id_seq MINVALUE 0;
CREATE TABLE recipe (
  id    bigint PRIMARY KEY DEFAULT next_id('recipe_id_seq'),
  title text NOT NULL
);

CREATE SEQUENCE ingredient_id_seq MINVALUE 0;
CREATE TABLE ingredient (
  id        bigint PRIMARY KEY DEFAULT next_id('ingredient_id_seq'),
  recipe_id bigint NOT NULL REFERENCES recipe,
  name      text NOT NULL
);
