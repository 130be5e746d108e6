package io.github.shardedid.move.internal.comparison;

import io.github.shardedid.move.internal.comparison.ComparedTable.Column;
import io.github.shardedid.operations.internal.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The SQL of a 64-bit hash of a row, alias {@code t}. Each value is hashed so that two that replication distinguishes
 * have different hashes: the hash of a type does not suffice, as its equality is wider (1.0 and 1.00, 0 and -0), and that of an int8
 * folds both halves. Values of fixed form are hashed as they are sent, without making texts; of most others the text. What is
 * not known is hashed as the text of a row. The hash so far is the seed of the next one, so that neither columns nor rows
 * can be swapped unnoticed, and the last one spoils the linear sum that the hash of an array is.
 *
 * <p>Relies on what is in PostgreSQL since 11 and gives the same in all versions, as hash partitions do: the functions
 * {@code hash…extended}, and on the forms of the functions {@code …send}, which are those of the binary protocol.
 */
final class RowHashing {
    private static final int CHAIN = 60;
    private static final int BITS = 30;
    /** Not the floats: there are several NaNs, of which replication makes one. */
    private static final Map<String, String> SENT = Map.ofEntries(
            Map.entry("bool", "boolsend"),
            Map.entry("int2", "int2send"),
            Map.entry("int4", "int4send"),
            Map.entry("int8", "int8send"),
            Map.entry("uuid", "uuid_send"),
            Map.entry("date", "date_send"),
            Map.entry("time", "time_send"),
            Map.entry("timestamp", "timestamp_send"),
            Map.entry("timestamptz", "timestamptz_send"),
            Map.entry("interval", "interval_send"),
            Map.entry("numeric", "numeric_send"),
            Map.entry("bytea", "byteasend"));
    /** Whose cast to text gives what replication sends; not so that of char(n), which loses blanks. */
    private static final Set<String> TEXTS =
            Set.of("text", "varchar", "float4", "float8", "json", "jsonb", ComparedTable.ENUM);

    private final List<String> sent = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    private RowHashing(List<Column> columns) {
        for (Column column : columns) {
            String value = "t." + Sql.name(column.name());
            String send = SENT.get(column.type());
            if (send != null) {
                sent.add("pg_catalog." + send + "(" + value + ")");
            } else if (TEXTS.contains(column.type()) && texts.size() < CHAIN) {
                texts.add(value);
            } else {
                others.add(value);
            }
        }
    }

    /** An expression of type bigint, never null. */
    static String of(ComparedTable table) {
        return new RowHashing(table.columns()).expression();
    }

    private String expression() {
        String hash =
                sent.isEmpty() ? "1" : "pg_catalog.hash_array_extended(ARRAY[" + String.join(", ", sent) + "], 1)";
        for (String text : texts) {
            hash = ofText("coalesce(" + text + "::text, '')", hash);
        }
        if (!others.isEmpty()) {
            hash = ofText("ROW(" + String.join(", ", others) + ")::text", hash);
        }
        for (int from = 0; from == 0 || from < texts.size(); from += BITS) {
            hash = "pg_catalog.hashint4extended(" + nulls(texts.subList(from, Math.min(texts.size(), from + BITS)))
                    + ", " + hash + ")";
        }
        return hash;
    }

    private static String ofText(String text, String seed) {
        return "pg_catalog.hashtextextended((" + text + ") COLLATE pg_catalog.\"C\", " + seed + ")";
    }

    /** A bit for each that is null, and so not an empty text. */
    private static String nulls(List<String> values) {
        return Stream.concat(
                        Stream.of("0"),
                        values.stream()
                                .map(value -> "CASE WHEN " + value + " IS NULL THEN " + (1 << values.indexOf(value))
                                        + " ELSE 0 END"))
                .collect(Collectors.joining(" + "));
    }
}
