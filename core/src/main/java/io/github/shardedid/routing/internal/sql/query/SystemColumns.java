package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.internal.sql.grammar.ScatterRefusal;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.lexer.SqlKeywords;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import java.util.Set;

/** Columns that PostgreSQL gives each table. Their values mean something in their own table only, and each shard has another one. */
final class SystemColumns {
    private static final Set<String> NAMES = SqlKeywords.words("CTID TABLEOID XMIN XMAX CMIN CMAX");

    private SystemColumns() {}

    static boolean has(String name) {
        return NAMES.contains(SqlNames.upper(name));
    }

    /** Refuses what compares them over shards. */
    static void refuse(String clause, SqlSpan expression, SqlText text) {
        for (int i = expression.from(); i < expression.to(); i++) {
            if (text.isName(i) && has(SqlNames.folded(text, i))) {
                throw ScatterRefusal.of(
                        clause + " with " + text.raw(i) + ", which each shard's table has for itself,",
                        text,
                        "Use a column of your own.");
            }
        }
    }
}
