CREATE TABLEAU loan (id bigint);
