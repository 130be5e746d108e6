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
 * The SQL of a 64-bit hash of a row with the alias {@code t}. Rows with equal hashes are taken for equal rows.
 *
 * <ul>
 *   <li>The hash functions of the types do not distinguish all values that replication distinguishes: 1.0 and 1.00, 0 and -0, or
 *       both halves of an int8. So values of most built-in types are hashed in their binary form, texts as such, and all other
 *       values as the text of a row.
 *   <li>Each hash is the seed of the next one: swapped columns change the hash.
 *   <li>The hash of an array is a linear sum. A last hash over it makes values that are swapped between rows change the sum of all
 *       hashes.
 * </ul>
 *
 * <p>Uses functions that exist since PostgreSQL 11 and return the same in all versions: {@code hash…extended}, on which hash
 * partitions depend, and {@code …send}, which make the binary protocol.
 */
final class RowHashing {
    private static final int CHAIN = 60;
    private static final int BITS = 30;
    /** Without floats: these have several NaNs, which replication sends as one. */
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
    /** Types whose cast to text returns what replication sends. The cast of char(n) removes blanks. */
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

    /** A bit for each null, which is hashed like an empty text otherwise. */
    private static String nulls(List<String> values) {
        return Stream.concat(
                        Stream.of("0"),
                        values.stream()
                                .map(value -> "CASE WHEN " + value + " IS NULL THEN " + (1 << values.indexOf(value))
                                        + " ELSE 0 END"))
                .collect(Collectors.joining(" + "));
    }
}
