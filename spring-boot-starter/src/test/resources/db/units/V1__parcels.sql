CREATE TABLE parcel (id uuid PRIMARY KEY, depot text NOT NULL, label text NOT NULL);
