package io.github.shardedid.routing.internal.session;

import io.github.shardedid.routing.internal.sql.KnownNames.Kind;
import io.github.shardedid.routing.internal.sql.SqlFile;
import io.github.shardedid.routing.internal.sql.SqlKeywords;
import io.github.shardedid.topology.CommonSchemas;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads from a catalog which names there are of each {@link Kind}. The query works under any search path, as it
 * qualifies all names.
 *
 * <p>One query reads everything, since it is sent with the first round trip of a session. It does not list all
 * objects: of some kinds, those with which a text needs care, and of others, those that are known to need none.
 */
final class NamesQuery {
    /**
     * Own functions are those outside of PostgreSQL's schemas and this library's. One that is immutable and in
     * C reads nothing but its arguments. Of the others, "unbound" is one in whose body a name may have no
     * schema: it has no search path of its own, is not bound when it is created ({@code BEGIN ATOMIC}), and if
     * it is in C, it is given the name by a text. From these, "code" follows what depends on them, up to the
     * relations that run them: triggers, defaults, checks, domains, indexes and what a foreign key cascades to
     * when they are written to; rules, views and policies when they are read. PostgreSQL's own functions that
     * look names up are found in what is stored of an expression, since nothing depends on them, as is the
     * literal 'search_path', byte by byte; many are searched at once, for speed. A cast of the user between two
     * types of PostgreSQL may be meant by any text, as an operator of equality may. The catalogs themselves
     * have the same numbers in all databases.
     */
    private static final String SQL = SqlFile.read(NamesQuery.class, "names.sql");

    /**
     * PostgreSQL's stable functions that are plain: they depend on settings such as the time zone, but not on
     * names, the time, or the transaction.
     */
    private static final Set<String> STABLE = SqlKeywords.words(
            """
            array_to_json array_to_string concat concat_ws convert_from convert_to date date_add date_part date_subtract date_trunc
            extract format generate_series json_agg json_build_array json_build_object json_object_agg jsonb_agg jsonb_build_array
            jsonb_build_object jsonb_object_agg length make_timestamptz overlaps phraseto_tsquery plainto_tsquery quote_literal
            quote_nullable row_to_json time timestamp timestamptz timetz timezone to_char to_date to_json to_jsonb to_number
            to_timestamp to_tsquery to_tsvector ts_headline websearch_to_tsquery
            """);

    /** Further functions that Hibernate and this library call, and which depend on no name. */
    private static final Set<String> PATHLESS = SqlKeywords.words(
            """
            age clock_timestamp current_setting gen_random_uuid now pg_current_xact_id pg_logical_emit_message random set_config
            statement_timestamp transaction_timestamp uuidv4 uuidv7
            """);

    /**
     * The blanks to shorten. The text is to fit into one message to the server: then a session that has ended
     * is not taken for a broken wire.
     */
    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /**
     * Compiling the query to machine code, which PostgreSQL does because of its estimated cost, takes seconds, and running it a tenth of one. The
     * setting ends with the transaction.
     */
    private static final String UNCOMPILED = "SELECT pg_catalog.set_config('jit', 'off', true); ";

    private NamesQuery() {}

    /**
     * Returns the query, after one whose result is not needed.
     *
     * @param common the schemas that are in each path, whose objects do not depend on it
     */
    static String sql(CommonSchemas common) {
        return UNCOMPILED + BLANKS.matcher(SQL.formatted(common.sql())).replaceAll(" ");
    }

    /**
     * Reads the answer. PostgreSQL's stable functions are sorted here: only those that depend on neither names
     * nor time are plain.
     */
    static Map<Kind, Set<String>> read(ResultSet rows) throws SQLException {
        Map<Kind, Set<String>> names = new EnumMap<>(Kind.class);
        while (rows.next()) {
            names.put(Kind.valueOf(rows.getString(1)), new HashSet<>(Arrays.asList((String[])
                    rows.getArray(2).getArray())));
        }
        for (String name : List.copyOf(of(names, Kind.PATHLESS))) {
            if (!PATHLESS.contains(name)) {
                of(names, Kind.PATHLESS).remove(name);
                of(names, STABLE.contains(name) ? Kind.PLAIN : Kind.OTHER).add(name);
            }
        }
        of(names, Kind.OTHER_FIELD).removeAll(of(names, Kind.PLAIN));
        return names;
    }

    private static Set<String> of(Map<Kind, Set<String>> names, Kind kind) {
        return names.computeIfAbsent(kind, unseen -> new HashSet<>());
    }
}
