package io.github.shardedid.routing.internal.sql.ids;

import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.names.SchemaPlaceholder;
import java.util.Set;
import java.util.TreeSet;

/** A table that is written, its columns with ids of its own shard, and where the text goes on behind its name. */
record WrittenTable(String name, Set<String> columns, int end) {
    static final WrittenTable NONE = new WrittenTable("", Set.of(), 0);

    static WrittenTable at(SqlText text, ColocatedColumns columns, int from) {
        int name = text.is(from, "ONLY") ? from + 1 : from;
        boolean parentheses = text.is(name, "(");
        name += parentheses ? 1 : 0;
        while (text.isName(name) && text.is(name + 1, ".")) {
            SchemaPlaceholder schema = SchemaPlaceholder.in(text, name);
            if (schema != null && schema.global()) {
                return NONE;
            }
            name += 2;
        }
        if (!text.isName(name)) {
            return NONE;
        }
        String folded = SqlNames.folded(text, name);
        int end = parentheses && text.is(name + 1, ")") ? name + 2 : name + 1;
        return new WrittenTable(folded, columns.of(folded), text.is(end, "*") ? end + 1 : end);
    }

    String qualified(String column) {
        return name + "." + column;
    }

    /** All its columns with ids, for messages. */
    String allColumns() {
        return name + "." + String.join(", " + name + ".", new TreeSet<>(columns));
    }
}
