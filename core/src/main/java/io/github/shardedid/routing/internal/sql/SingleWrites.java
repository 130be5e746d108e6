package io.github.shardedid.routing.internal.sql;

import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.Set;

/** Tells a single INSERT, UPDATE or DELETE that returns nothing from all other texts. */
final class SingleWrites {
    private static final Set<String> WRITES = Set.of("INSERT", "UPDATE", "DELETE");

    private SingleWrites() {}

    static boolean isSingle(SqlText text) {
        if (!WRITES.contains(text.at(0))) {
            return false;
        }
        for (int i = 0; i < text.size(); i++) {
            if (text.is(i, ";") || text.is(i, "RETURNING") || text.is(i, "{")) {
                return false;
            }
        }
        return true;
    }
}
