CREATE TABLE event_publication (
  id                     uuid PRIMARY KEY,
  listener_id            text NOT NULL,
  event_type             text NOT NULL,
  serialized_event       text NOT NULL,
  publication_date       timestamptz NOT NULL,
  completion_date        timestamptz,
  status                 text,
  completion_attempts    integer,
  last_resubmission_date timestamptz
);
CREATE INDEX ON event_publication USING hash (serialized_event);
CREATE INDEX ON event_publication (completion_date);
CREATE TABLE event_publication_archive (LIKE event_publication INCLUDING ALL);
