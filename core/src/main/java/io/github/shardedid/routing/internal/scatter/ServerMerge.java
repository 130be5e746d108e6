package io.github.shardedid.routing.internal.scatter;

import static java.util.stream.Collectors.joining;

import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.routing.internal.scatter.ScatterRun.Part;
import io.github.shardedid.routing.internal.scatter.ScatterWorker.ShardLeft;
import io.github.shardedid.routing.internal.scatter.ShardChunks.Chunk;
import io.github.shardedid.routing.internal.sql.SqlFile;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.query.GroupMerge;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.statement.Relocations;
import io.github.shardedid.topology.ShardSchema;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Merges by PostgreSQL what only PostgreSQL can merge: groups, averages, conditions, and the order of texts and
 * of inexact numbers. Java has no copy of its rules: collations differ by their provider and its version, and
 * so would the results.
 *
 * <ol>
 *   <li>The values of all shards are sent to the database of the first one, a column as an array of texts. So
 *       only types are accepted all of whose values have a text that PostgreSQL reads as the same value.
 *   <li>A UNION ALL with the shard's own query without rows gives the values the types and collations of that
 *       shard's columns. Texts are accepted only if all databases compare them alike, as each has grouped or
 *       sorted its own.
 *   <li>The database returns the groups, which are the result; or, of rows to be sorted, the position of each,
 *       by which they are read from the shards' own results.
 * </ol>
 *
 * @param run the execution, which cancels and closes the statements
 * @param parts the rows of all chunks
 * @param call the request
 */
record ServerMerge(ScatterRun run, List<Part> parts, ScatterCall call) {
    /**
     * Asks for all that the order and the equality of a column's texts depend on: the encoding, the provider,
     * the locale, its rules and its version. The column of the database's own locale has another name before
     * PostgreSQL 17, hence the detour by JSON.
     */
    private static final String COLLATION = SqlFile.read(ServerMerge.class, "collation.sql");

    /** The types with a collation. */
    static final Set<String> TEXTS = Set.of("text", "varchar", "name", "bpchar");

    /**
     * The types by which Java does not merge, but all of whose values have a text that PostgreSQL reads as the
     * same value.
     */
    private static final Set<String> OTHERS = Set.of("numeric", "float4", "float8", "bpchar", "jsonb");

    /**
     * Returns the merged groups, as one statement's rows.
     *
     * @throws UnsupportedStatementException if a column has a type, or texts a collation, that cannot be merged
     */
    Part groups(GroupMerge merge) throws SQLException {
        List<String> types = types(1);
        if (IntStream.rangeClosed(1, types.size())
                .anyMatch(column -> types.get(column - 1).equals("float4") && merge.averages(column))) {
            throw refused("An average of real, of which the shards have rounded the sums,", "Cast it to float8.");
        }
        ScatterBounds bounds = call.bounds();
        String all = "with t(" + names() + ") as (" + nothing(first()) + " union all select * from unnest("
                + arrays(types) + ")) " + merge.sql(types)
                + (bounds.wanted() < Long.MAX_VALUE ? " limit " + bounds.wanted() : "")
                + (bounds.offset() > 0 ? " offset " + bounds.offset() : "");
        PreparedStatement statement = prepare(first(), all);
        int parameter = setArrays(statement, setNothing(statement), values(1, types, new LinkedHashMap<>()));
        call.parameters().setOn(statement, parameter, merge.parameters());
        ResultSet rows = execute(first(), statement);
        return new Part(first().chunk(), statement, rows, first().utf8());
    }

    /**
     * Returns the position of each statement's rows among all, in the order of the sort keys, which are the
     * columns from a number on. Equal rows come in the order of their statements.
     *
     * @throws UnsupportedStatementException if the rows are fetched as they are read, so that their keys are not
     *     known
     */
    Map<Part, long[]> positions(int firstColumn) throws SQLException {
        if (call.streams()) {
            throw refused(
                    "Rows that are fetched as they are read, in an order that only a database knows,",
                    "Order by the id, by whole numbers, times, or COLLATE \"C\", in HQL collate(… as C); or fetch all"
                            + " rows at once, without a fetch size, and in a List instead of a Stream.");
        }
        List<String> types = types(firstColumn);
        String columns = names("x.c", firstColumn);
        String order = IntStream.range(0, types.size())
                .mapToObj(i -> call.query().keys().get(i).orderBy("t.c" + (firstColumn + i)))
                .collect(joining(", "));
        Map<Part, long[]> positions = new LinkedHashMap<>();
        List<List<@Nullable String>> values = values(firstColumn, types, positions);
        String sql = "select t.n from (select " + columns + ", cast(0 as pg_catalog.int8) as n from " + nothing(first())
                + " x(" + names() + ") union all select * from unnest(" + arrays(types)
                + ") with ordinality) t order by " + order + ", t.n";
        try (PreparedStatement statement = prepare(first(), sql)) {
            setArrays(statement, setNothing(statement), values);
            ResultSet rows = execute(first(), statement);
            long[] sorted = new long[values.get(0).size()];
            for (long position = 0; rows.next(); position++) {
                sorted[Math.toIntExact(rows.getLong(1)) - 1] = position;
            }
            int from = 0;
            for (long[] own : positions.values()) {
                System.arraycopy(sorted, from, own, 0, own.length);
                from += own.length;
            }
        }
        return positions;
    }

    /** Refuses columns of a part with other names or types than those of the first one: rows are read by position. */
    void requireSameColumns() throws SQLException {
        ResultSetMetaData expected = first().rows().getMetaData();
        for (Part part : parts.subList(1, parts.size())) {
            ResultSetMetaData found = part.rows().getMetaData();
            for (int i = 1; i <= Math.max(expected.getColumnCount(), found.getColumnCount()); i++) {
                if (!column(expected, i).equals(column(found, i))) {
                    throw refused(
                            "Column " + i + ", which is " + column(expected, i) + " in " + first().where() + " and "
                                    + column(found, i) + " in " + part.where() + ",",
                            "Functions of the query may return other types there.");
                }
            }
        }
    }

    private static String column(ResultSetMetaData columns, int i) throws SQLException {
        return i > columns.getColumnCount()
                ? "missing"
                : columns.getColumnLabel(i) + " of " + JDBCType.valueOf(columns.getColumnType(i));
    }

    /** Returns the part whose database merges. */
    private Part first() {
        return parts.get(0);
    }

    private int columns() throws SQLException {
        return first().rows().getMetaData().getColumnCount();
    }

    /** Returns {@code c1, c2, …}, for the columns of a shard's query. */
    private String names() throws SQLException {
        return names("c", 1);
    }

    private String names(String prefix, int first) throws SQLException {
        return IntStream.rangeClosed(first, columns())
                .mapToObj(column -> prefix + column)
                .collect(joining(", "));
    }

    /** Returns an empty table with the columns of a shard's query. */
    private String nothing(Part part) {
        return call.query().nothing(ShardSchema.nameOf(part.chunk().shards().get(0)));
    }

    /** Sets the parameters of {@link #nothing}; returns the number of the next one. */
    private int setNothing(PreparedStatement statement) throws SQLException {
        return call.parameters().setOn(statement, 1, call.query().parameters(), null);
    }

    /** Returns the parameters of {@code unnest}, one for each column. */
    private static String arrays(List<String> types) {
        return types.stream()
                .map(type -> "cast(cast(? as pg_catalog.text[]) as pg_catalog." + type + "[])")
                .collect(joining(", "));
    }

    /**
     * Sets the values of the columns.
     *
     * @return the number of the parameter behind them
     */
    private static int setArrays(PreparedStatement statement, int from, List<List<@Nullable String>> values)
            throws SQLException {
        int parameter = from;
        for (List<@Nullable String> column : values) {
            statement.setArray(parameter++, statement.getConnection().createArrayOf("text", column.toArray()));
        }
        return parameter;
    }

    /**
     * Returns the types of the columns from a number on.
     *
     * @throws UnsupportedStatementException if one cannot be merged, or if the databases compare texts in different
     *     ways
     */
    private List<String> types(int firstColumn) throws SQLException {
        List<String> types = new ArrayList<>();
        List<Integer> texts = new ArrayList<>();
        for (int column = firstColumn; column <= columns(); column++) {
            String type = type(column);
            types.add(type);
            if (TEXTS.contains(type)) {
                texts.add(column);
            }
        }
        requireSameCollations(texts);
        return types;
    }

    /**
     * Refuses to merge texts by the collation of one database if another one has grouped or sorted them by
     * another collation. Columns are numbered from 1.
     */
    private void requireSameCollations(List<Integer> columns) throws SQLException {
        Map<String, Part> databases = new LinkedHashMap<>();
        parts.forEach(part -> databases.putIfAbsent(part.chunk().database(), part));
        if (columns.isEmpty() || databases.size() < 2) {
            return;
        }
        String expected = collations(first(), columns);
        for (Part part : databases.values()) {
            String found = collations(part, columns);
            if (!found.equals(expected)) {
                throw refused(
                        "Texts that database " + first().chunk().database() + " compares by the collation " + expected
                                + " and database " + part.chunk().database() + " by " + found,
                        "Write COLLATE \"C\" behind the text, in HQL collate(… as C), or give the databases the same"
                                + " collation and encoding.");
            }
        }
    }

    /** Returns how a database compares the texts of columns. */
    private String collations(Part part, List<Integer> columns) throws SQLException {
        String list = columns.stream()
                .map(column -> COLLATION.formatted("c" + column))
                .collect(joining(", "));
        String sql = "select pg_catalog.concat('[', pg_catalog.array_to_string(array[" + list
                + "], ', ', 'null'), ']') from (select 1) one left join " + nothing(part) + " t(" + names()
                + ") on false";
        try (PreparedStatement statement = prepare(part, sql)) {
            setNothing(statement);
            ResultSet row = execute(part, statement);
            row.next();
            return row.getString(1);
        }
    }

    /**
     * Returns the name of a column's type, all of whose values have a text that PostgreSQL reads as the same
     * value. Not a time with a zone: of one that comes in binary, the driver's text has the zone of the JVM.
     */
    private String type(int column) throws SQLException {
        String found = null;
        for (Part part : parts) {
            ResultSetMetaData columns = part.rows().getMetaData();
            String name =
                    switch (columns.getColumnTypeName(column)) {
                        case "smallserial" -> "int2";
                        case "serial" -> "int4";
                        case "bigserial" -> "int8";
                        default -> columns.getColumnTypeName(column);
                    };
            boolean known = SortOrder.isKnown(name) || OTHERS.contains(name);
            if (!known || (found != null && !found.equals(name))) {
                throw refused(
                        "Values of type " + name + (known ? " beside those of type " + found : ""),
                        "Cast them, such as to text or to a number.");
            }
            found = name;
        }
        return String.valueOf(found);
    }

    /**
     * Returns the values of the columns from a number on; adds room for a position for each row. The rows can
     * be read again.
     */
    private List<List<@Nullable String>> values(int firstColumn, List<String> types, Map<Part, long[]> positions)
            throws SQLException {
        List<List<@Nullable String>> values = new ArrayList<>();
        types.forEach(type -> values.add(new ArrayList<>()));
        for (Part part : parts) {
            int rows = 0;
            for (; part.rows().next(); rows++) {
                for (int i = 0; i < values.size(); i++) {
                    values.get(i).add(text(types.get(i), part.rows(), firstColumn + i));
                }
            }
            part.rows().beforeFirst();
            positions.put(part, new long[rows]);
        }
        return values;
    }

    /**
     * Returns the value as PostgreSQL reads it. For bytes that come in binary, the driver's own text is that of
     * a Java object.
     */
    private static @Nullable String text(String type, ResultSet rows, int column) throws SQLException {
        if (!type.equals("bytea")) {
            return rows.getString(column);
        }
        byte[] bytes = rows.getBytes(column);
        return bytes == null ? null : "\\x" + HexFormat.of().formatHex(bytes);
    }

    /** Returns whether a part was asked over the connection of the caller's transaction. */
    private boolean isWithinTransaction(Part part) {
        return call.writerOn(part.chunk().database()) != null;
    }

    /** Prepares a further statement over the connection of a part. */
    private PreparedStatement prepare(Part part, String sql) throws SQLException {
        boolean within = isWithinTransaction(part);
        PreparedStatement statement = part.statement()
                .getConnection()
                .prepareStatement(ScatterQuery.sent(sql, within, within ? "" : call.local(), ""));
        statement.setQueryTimeout(Math.max(0, call.secondsLeft()));
        return statement;
    }

    /**
     * Executes a further statement, and returns its rows behind those of the settings. On failure the statement
     * is closed.
     */
    private ResultSet execute(Part part, PreparedStatement statement) throws SQLException {
        Chunk chunk = part.chunk();
        try {
            run.execute(statement, chunk);
            return ScatterCall.rows(statement, isWithinTransaction(part) ? 2 : 1);
        } catch (SQLException e) {
            statement.close();
            boolean left = !isWithinTransaction(part)
                    && Relocations.mayHaveMoved(
                            Target.shard(part.chunk().shards().get(0)), e);
            throw left ? new ShardLeft(chunk, e) : ScatterFailures.of(chunk, e);
        }
    }

    private UnsupportedStatementException refused(String what, String instead) {
        return new UnsupportedStatementException(what + " cannot be merged over several shards: "
                + SqlText.brief(call.query().text()) + ". " + instead);
    }
}
