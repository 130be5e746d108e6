COMMENT ON TABLE photo IS 'of ${flyway:defaultSchema}';
