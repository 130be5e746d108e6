package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.ColocatedColumns;
import io.github.shardedid.routing.internal.sql.SchemaPlaceholder;
import io.github.shardedid.routing.internal.sql.SqlKeywords;
import io.github.shardedid.routing.internal.sql.SqlText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The relations of a statement of any form by their names, wherever in it these are visible. It serves
 * statements that are executed in the open scope, and only has to find out whether they require ids of another
 * shard. So it reads no grammar, but looks for what can only be a relation:
 *
 * <ol>
 *   <li>What stands before {@code AS (SELECT …)} is a WITH query: rows that are given, if it reads no table,
 *       and derived ones otherwise.
 *   <li>What follows FROM, JOIN, UPDATE, INTO, USING and the like is a subselect, a function, or a table with
 *       its alias.
 *   <li>A column is a key if a relation of its qualifier has it as one; without a qualifier, if any has.
 * </ol>
 */
public final class NamedRelations {
    /**
     * The words behind which a relation may begin. A comma and a parenthesis may also stand before a column,
     * whose name is then added as a relation; it has no keys, unless it is that of a table, too.
     */
    private static final Set<String> BEFORE =
            Set.of("FROM", "JOIN", "UPDATE", "INTO", "USING", "ONLY", "LATERAL", ",", "(");

    private static final Set<String> SELECTS = Set.of("SELECT", "VALUES", "WITH");
    private static final Set<String> CHANGES = Set.of("INSERT", "UPDATE", "DELETE", "MERGE");

    private final SqlText text;
    private final ColocatedColumns columns;
    /** The columns with ids of the row's own shard, by the names and aliases of their relations. */
    private final Map<String, Set<String>> keys = new HashMap<>();
    /**
     * The columns with ids of the row's own shard, of all tables; the columns of subselects are taken for those
     * of their names.
     */
    private final Set<String> all = new HashSet<>();

    /** The names of subselects that read tables. */
    private final Set<String> derived = new HashSet<>();
    /** The columns of rows that are given, by the names of their relations: what each is computed from. */
    private final Map<String, Map<String, List<Expression>>> given = new HashMap<>();

    /**
     * Reads the relations of a statement.
     *
     * @param columns the columns of tables that hold ids of the row's own shard
     */
    public NamedRelations(SqlText text, ColocatedColumns columns) {
        this.text = text;
        this.columns = columns;
        for (int i = 0; i < text.size(); i++) {
            int open = text.is(i, "AS") ? behindMaterialized(i + 1) : text.size();
            if (text.is(open, "(") && (SELECTS.contains(text.at(open + 1)) || CHANGES.contains(text.at(open + 1)))) {
                int list = text.is(i - 1, ")") ? text.opening(i - 2) : i;
                if (text.isName(list - 1)) {
                    add(text.folded(list - 1), names(list), GivenRows.at(text, open + 1));
                }
            }
        }
        for (int i = 1; i < text.size(); i++) {
            boolean begins = BEFORE.contains(text.at(i - 1));
            if (begins && text.is(i, "(") && SELECTS.contains(text.at(i + 1))) {
                named(text.closing(i) + 1, "", GivenRows.at(text, i + 1));
            } else if (begins && SqlKeywords.isFunctionName(text, i)) {
                relation(i);
            }
        }
    }

    /** Returns the token behind {@code MATERIALIZED} or {@code NOT MATERIALIZED}, if it is there. */
    private int behindMaterialized(int from) {
        int i = from + (text.is(from, "NOT") ? 1 : 0);
        return text.is(i, "MATERIALIZED") ? i + 1 : i;
    }

    /** Adds a table or a function, the name of which begins at a token. */
    private void relation(int start) {
        int last = start;
        while (text.is(last + 1, ".") && text.isName(last + 2)) {
            last += 2;
        }
        String name = text.folded(last);
        if (text.is(last + 1, "(") && !text.is(start - 1, "INTO")) {
            GivenRows rows = GivenRows.at(text, start);
            if (rows != null) {
                named(text.closing(last + 1) + 1, name, rows);
            }
            return;
        }
        boolean sharded = last == start || SchemaPlaceholder.isOfShard(text.folded(last - 2));
        Set<String> own = sharded ? columns.of(name) : Set.of();
        String alias = alias(last + 1, name);
        for (String each : List.of(name, alias)) {
            keys.merge(each, own, NamedRelations::union);
            if (last == start && given.containsKey(name)) {
                given.put(each, given.get(name));
            } else if (last == start && derived.contains(name)) {
                derived.add(each);
            }
        }
        all.addAll(own);
    }

    /** Adds a relation that has its alias at a token, or none. */
    private void named(int position, String otherwise, @Nullable GivenRows rows) {
        int i = position + (text.is(position, "WITH") && text.is(position + 1, "ORDINALITY") ? 2 : 0);
        int alias = text.is(i, "AS") ? i + 1 : i;
        boolean has = SqlKeywords.isColumnName(text, alias);
        add(has ? text.folded(alias) : otherwise, names(has ? alias + 1 : alias), rows);
    }

    /**
     * Adds a relation.
     *
     * @param names of its columns, as far as they are given
     * @param rows what it consists of; null if it reads tables
     */
    private void add(String name, List<String> names, @Nullable GivenRows rows) {
        if (rows == null) {
            derived.add(name);
            return;
        }
        Map<String, List<Expression>> values = new HashMap<>();
        for (int i = 0; i < rows.columns().size(); i++) {
            String own = i < rows.names().size() ? rows.names().get(i) : "column" + (i + 1);
            values.put(i < names.size() ? names.get(i) : own, rows.columns().get(i));
        }
        if (rows.names().isEmpty() && rows.columns().size() == 1) {
            names.forEach(each -> values.putIfAbsent(each, rows.columns().get(0))); // of json_to_recordset
            values.putIfAbsent(name, rows.columns().get(0));
            values.putIfAbsent("value", rows.columns().get(0));
        }
        given.put(name, values);
    }

    /** Returns the names of columns in parentheses, with types or not; none if no parenthesis opens there. */
    private List<String> names(int open) {
        List<String> names = new ArrayList<>();
        int end = text.is(open, "(") ? text.closing(open) : open;
        for (int i = open + 1; i < end; i++) {
            if (text.is(i - 1, "(") || text.is(i - 1, ",")) {
                names.add(text.folded(i));
            }
        }
        return names;
    }

    /** Returns the alias at a token; otherwise another name. */
    private String alias(int position, String otherwise) {
        int i = text.is(position, "AS") ? position + 1 : position;
        return SqlKeywords.isColumnName(text, i) ? text.folded(i) : otherwise;
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> union = new HashSet<>(one);
        union.addAll(other);
        return union;
    }

    /** Returns whether this is a column with ids of the shard of its row. */
    public boolean isKey(Expression expression) {
        List<String> names = expression.names();
        if (!expression.is(Expression.Kind.COLUMN)) {
            return false;
        } else if (names.size() == 1) {
            return all.contains(expression.name());
        }
        String relation = names.get(names.size() - 2);
        return keys.getOrDefault(relation, Set.of()).contains(expression.name())
                || (derived.contains(relation) && all.contains(expression.name()));
    }

    /** Returns what the values of a column of rows that are given are computed from; null for other expressions. */
    public @Nullable List<Expression> given(Expression expression) {
        List<String> names = expression.names();
        if (!expression.is(Expression.Kind.COLUMN) || isKey(expression)) {
            return null;
        }
        return given.entrySet().stream()
                .filter(each -> names.size() == 1 || names.get(names.size() - 2).equals(each.getKey()))
                .map(each -> each.getValue().get(expression.name()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }
}
