SELECT 1 FROM no_such_table;
