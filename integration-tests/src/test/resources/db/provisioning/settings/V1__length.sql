CREATE TABLE length (value text);
-- Until the end of this script.
SET LOCAL intervalstyle = 'iso_8601';
