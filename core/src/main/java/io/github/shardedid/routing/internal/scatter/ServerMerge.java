package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.UnmergeableQueryException;
import io.github.shardedid.routing.internal.sql.lexer.SqlText;
import io.github.shardedid.routing.internal.sql.query.ColumnLabels;
import io.github.shardedid.routing.internal.sql.query.GroupMerge;
import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.target.Executions;
import io.github.shardedid.topology.ShardSchema;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends values that the shards have returned to one of the databases, which computes from them what only PostgreSQL can: groups,
 * averages, conditions, and the order of texts. The values have the types and collations of the columns of one of its shards.
 */
record ServerMerge(ScatterRun run, Scatters scatters, List<ScatterRun.Part> parts, ScatterCall call) {
    /** The merged groups, as one statement's rows. */
    ScatterRun.Part groups(GroupMerge merge) throws SQLException {
        List<String> types = new ArrayList<>();
        for (int column = 1; column <= columns(); column++) {
            types.add(type(column));
            if (merge.averages(column) && type(column).equals("float4")) {
                throw refused("An average of real, of which the shards have rounded the sums,", "Cast it to float8.");
            }
        }
        List<Integer> texts = IntStream.rangeClosed(1, types.size())
                .filter(column -> isText(types.get(column - 1)))
                .boxed()
                .toList();
        new Collations(this).requireSame(texts);
        StringBuilder sql = new StringBuilder(merge.sql(types, labels(merge)));
        if (call.bounds().wanted() < Long.MAX_VALUE) {
            sql.append(" limit ").append(call.bounds().wanted());
        }
        if (call.bounds().offset() > 0) {
            sql.append(" offset ").append(call.bounds().offset());
        }
        String values = IntStream.rangeClosed(1, types.size())
                .mapToObj(column -> array(types.get(column - 1)))
                .reduce((a, b) -> a + ", " + b)
                .orElseThrow();
        String all = "with t(" + names() + ") as (" + nothing(first()) + " union all select * from unnest(" + values
                + ")) " + sql;
        PreparedStatement statement = prepare(first(), all);
        int parameter = setNothing(statement);
        for (List<@Nullable String> column : values(types)) {
            statement.setArray(parameter++, statement.getConnection().createArrayOf("text", column.toArray()));
        }
        call.parameters().setOn(statement, parameter, merge.parameters());
        ResultSet rows = execute(first(), statement);
        return new ScatterRun.Part(first().chunk(), statement, rows, first().utf8());
    }

    /** The names of the query's columns, if PostgreSQL chooses some. */
    private List<String> labels(GroupMerge merge) throws SQLException {
        ColumnLabels labels = merge.labels();
        List<String> known = merge.needsLabels() ? labels.known() : List.of();
        if (known != null) {
            return known;
        }
        List<String> names = new ArrayList<>();
        String schema = ShardSchema.nameOf(first().chunk().shards().get(0));
        try (PreparedStatement statement = prepare(first(), labels.sql(schema))) {
            call.parameters().setOn(statement, 1, labels.parameters());
            ResultSetMetaData columns = execute(first(), statement).getMetaData();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                names.add(columns.getColumnLabel(column));
            }
        }
        labels.set(names);
        return names;
    }

    /** The ranks of a column's texts in the order of its collation; equal ones have the same. */
    Map<String, Long> ranks(int column) throws SQLException {
        if (call.streams()) {
            throw refused(
                    "Rows that are fetched as they are read, in the order of a text,",
                    "Order by COLLATE \"C\", in HQL collate(… as C), or by the id; or fetch all rows at once, without a"
                            + " fetch size, and in a List instead of a Stream.");
        }
        new Collations(this).requireSame(List.of(column));
        Set<String> texts = new LinkedHashSet<>();
        for (ScatterRun.Part part : parts) {
            part.rows().beforeFirst();
            while (part.rows().next()) {
                String text = part.rows().getString(column);
                if (text != null) {
                    texts.add(text);
                }
            }
            part.rows().beforeFirst();
        }
        String sql = "select t.k, dense_rank() over (order by t.k) from (select x.c" + column + " from "
                + nothing(first()) + " x(" + names() + ") union all select * from unnest(" + array(type(column))
                + ")) t(k)";
        Map<String, Long> ranks = new HashMap<>();
        try (PreparedStatement statement = prepare(first(), sql)) {
            statement.setArray(setNothing(statement), statement.getConnection().createArrayOf("text", texts.toArray()));
            ResultSet rows = execute(first(), statement);
            while (rows.next()) {
                ranks.put(rows.getString(1), rows.getLong(2));
            }
        }
        return ranks;
    }

    ScatterRun.Part first() {
        return parts.get(0);
    }

    private int columns() throws SQLException {
        return first().rows().getMetaData().getColumnCount();
    }

    /** {@code c1, c2, …}, for the columns of a shard's query. */
    String names() throws SQLException {
        return IntStream.rangeClosed(1, columns())
                .mapToObj(column -> "c" + column)
                .reduce((a, b) -> a + ", " + b)
                .orElseThrow();
    }

    /** An empty table with the columns of a shard's query. */
    String nothing(ScatterRun.Part part) {
        return call.query().nothing(ShardSchema.nameOf(part.chunk().shards().get(0)));
    }

    /** Sets the parameters of {@link #nothing}; returns the number of the next one. */
    int setNothing(PreparedStatement statement) throws SQLException {
        call.parameters().setOn(statement, 1, call.query().armParameters());
        return call.query().armParameters().size() + 1;
    }

    private static String array(String type) {
        return "cast(cast(? as pg_catalog.text[]) as pg_catalog." + type + "[])";
    }

    static boolean isText(String type) {
        KeyType known = KeyType.of(type);
        return known != null && known.isText();
    }

    /**
     * The name of a column's type, all of whose values have a text that PostgreSQL reads as the same value. Not a time with a zone:
     * of one that comes in binary, the driver's text has the zone of the JVM.
     */
    private String type(int column) throws SQLException {
        String found = null;
        for (ScatterRun.Part part : parts) {
            ResultSetMetaData columns = part.rows().getMetaData();
            String name =
                    switch (columns.getColumnTypeName(column)) {
                        case "smallserial" -> "int2";
                        case "serial" -> "int4";
                        case "bigserial" -> "int8";
                        default -> columns.getColumnTypeName(column);
                    };
            boolean known = KeyType.of(name) != null || name.equals("jsonb");
            if (!known || (found != null && !found.equals(name))) {
                throw refused(
                        "Values of type " + name + (known ? " beside those of type " + found : ""),
                        "Cast them, such as to text or to a number.");
            }
            found = name;
        }
        return String.valueOf(found);
    }

    private List<List<@Nullable String>> values(List<String> types) throws SQLException {
        List<List<@Nullable String>> values = new ArrayList<>();
        types.forEach(type -> values.add(new ArrayList<>()));
        for (ScatterRun.Part part : parts) {
            while (part.rows().next()) {
                for (int i = 0; i < values.size(); i++) {
                    values.get(i).add(KeyType.text(types.get(i), part.rows(), i + 1));
                }
            }
        }
        return values;
    }

    private boolean isWithinTransaction(ScatterRun.Part part) {
        return call.writerOn(part.chunk().database()) != null;
    }

    PreparedStatement prepare(ScatterRun.Part part, String sql) throws SQLException {
        PreparedStatement statement =
                part.statement().getConnection().prepareStatement(ScatterQuery.sent(sql, isWithinTransaction(part)));
        statement.setQueryTimeout(Math.max(0, call.secondsLeft()));
        return statement;
    }

    ResultSet execute(ScatterRun.Part part, PreparedStatement statement) throws SQLException {
        ShardChunks.Chunk chunk = part.chunk();
        try {
            run.execute(
                    statement,
                    () -> Executions.watched(
                            scatters.executions().begin(chunk.shards(), chunk.database()), statement::execute));
            return ScatterCall.rows(statement, isWithinTransaction(part));
        } catch (SQLException e) {
            statement.close();
            throw ScatterFailures.of(chunk, e);
        }
    }

    UnmergeableQueryException refused(String what, String instead) {
        return new UnmergeableQueryException(what + " cannot be merged over several shards: "
                + SqlText.brief(call.query().text()) + ". " + instead);
    }
}
