package io.github.shardedid.routing.internal.scatter;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Refuses to merge texts by the collation of one database if another one has grouped or sorted them by another collation. */
record Collations(ServerMerge merge) {
    /** All that the order and the equality of a column's texts depend on. */
    private static final String IDENTITY =
            """
            (select concat_ws(' ', pg_encoding_to_char(d.encoding), c.collisdeterministic, pg_collation_actual_version(c.oid),
                        case when c.collprovider = 'd' then concat_ws(' ', coalesce(dj->>'datlocprovider', 'c'),
                            coalesce(dj->>'datlocale', dj->>'daticulocale', d.datcollate), dj->>'daticurules')
                        else concat_ws(' ', c.collprovider,
                            coalesce(cj->>'colllocale', cj->>'colliculocale', c.collcollate), cj->>'collicurules') end)
               from pg_database d, to_jsonb(d) dj, pg_collation c, to_jsonb(c) cj
              where d.datname = current_database()
                and c.oid = cast(pg_collation_for(concat(t.%s)) as regcollation))""";

    /** Columns are numbered from 1. */
    void requireSame(List<Integer> columns) throws SQLException {
        Map<String, ScatterRun.Part> databases = new LinkedHashMap<>();
        merge.parts().forEach(part -> databases.putIfAbsent(part.chunk().database(), part));
        if (columns.isEmpty() || databases.size() < 2) {
            return;
        }
        List<String> expected = identities(merge.first(), columns);
        for (ScatterRun.Part part : databases.values()) {
            List<String> found = identities(part, columns);
            if (!found.equals(expected)) {
                throw merge.refused(
                        "Texts that database " + merge.first().chunk().database() + " compares by the collation "
                                + expected + " and database " + part.chunk().database() + " by " + found,
                        "Write COLLATE \"C\" behind the text, in HQL collate(… as C), or give the databases the same"
                                + " collation and encoding.");
            }
        }
    }

    private List<String> identities(ScatterRun.Part part, List<Integer> columns) throws SQLException {
        String list = columns.stream()
                .map(column -> IDENTITY.formatted("c" + column))
                .reduce((a, b) -> a + ", " + b)
                .orElseThrow();
        String sql = "select " + list + " from (select 1) one left join " + merge.nothing(part) + " t(" + merge.names()
                + ") on false";
        List<String> found = new ArrayList<>();
        try (PreparedStatement statement = merge.prepare(part, sql)) {
            merge.setNothing(statement);
            ResultSet row = merge.execute(part, statement);
            row.next();
            for (int i = 1; i <= columns.size(); i++) {
                found.add(String.valueOf(row.getString(i)));
            }
        }
        return found;
    }
}
