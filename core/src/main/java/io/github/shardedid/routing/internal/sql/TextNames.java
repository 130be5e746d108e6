package io.github.shardedid.routing.internal.sql;

import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The names in a text, about which {@link KnownNames} may know something. They are sorted by how they are
 * written, as that decides what they may mean: a bare name depends on the search path, a name before a
 * parenthesis may call code, and a name behind a point may do so, too. In doubt a name is in several sets, and
 * the least harmless meaning counts.
 *
 * <p>Only texts that Hibernate or this library has generated are known to name the schemas of their tables.
 */
final class TextNames {
    /** The first words of statements that read or write rows. */
    private static final Set<String> STATEMENTS =
            Set.of("SELECT", "WITH", "VALUES", "TABLE", "INSERT", "UPDATE", "DELETE", "MERGE");

    /** The words before a name with a parenthesis that is no call: it encloses columns, or belongs to a type. */
    private static final Set<String> BEFORE_NO_CALL = Set.of("AS", "WITH", "RECURSIVE", "::", "INTO");

    /** The words of statements that define or drop objects. */
    private static final Set<String> DEFINING = Set.of("create", "alter", "drop");

    /** The words of temporary objects, which other sessions do not see. */
    private static final Set<String> TEMPORARY = Set.of("temp", "temporary");

    /** Stands for {@code set_config} where it may set anything: no function has that name. */
    private static final String ANY_SETTING = "set_config('…')";

    /** Functions of this library, which name their schema. */
    private static final Set<String> OURS = Set.of(
            "next_id",
            "next_ids",
            "next_ids_after",
            "next_id_block",
            "lease_node",
            "release_node",
            "claimant_transaction",
            "claim_unique",
            "take_claim",
            "has_claimant_ended");

    /** Names without a schema; also words of SQL, and columns. */
    final Set<String> bare = new HashSet<>();

    /** Names before a parenthesis, with a schema or without. */
    final Set<String> calls = new HashSet<>();

    /** Names behind a point: PostgreSQL takes {@code x.f} for {@code f(x)} where x has no column f. */
    final Set<String> fields = new HashSet<>();

    /** Names behind the placeholder. */
    final Set<String> tables = new HashSet<>();

    final Set<String> operators = new HashSet<>();

    final boolean single;
    /** True if the text is a SET, which depends on no path. */
    final boolean setting;

    final boolean defining;
    /** True if a placeholder is spelt as in generated texts. */
    private boolean generated;
    /** True if it may mean something that its names do not tell: an escape of JDBC, or the path itself. */
    private boolean escaped;

    /** Reads a text. */
    TextNames(SqlText text) {
        int columns = -1;
        boolean several = false;
        boolean looksUp = false;
        boolean selectsInto = false;
        for (int i = 0; i < text.size(); i++) {
            several |= text.is(i, ";") && i + 1 < text.size();
            escaped |= text.is(i, "{");
            looksUp |= text.is(i, "DEFAULT_TEXT_SEARCH_CONFIG");
            selectsInto |= SessionUse.isSelectedInto(text, i);
            columns = text.is(i, "INTO") ? columns(text, i + 1) : columns;
            SchemaPlaceholder placeholder = SchemaPlaceholder.in(text, i);
            if (placeholder != null) {
                generated |= placeholder.generated();
            } else if (text.isOperator(i)) {
                operators.add(text.raw(i).replace("??", "?"));
            } else if (i == columns) {
                i = text.closing(i);
            } else if (text.isName(i) && !text.is(i + 1, ".")) {
                read(text, i);
            }
        }
        single = !several && STATEMENTS.contains(text.at(text.behindOpening(0)));
        setting = !several && !looksUp && text.is(0, "SET") && !text.is(1, "CONSTRAINTS");
        String lower = text.sql().toLowerCase(Locale.ROOT);
        escaped |= lower.contains("search_path");
        boolean block = text.is(0, "DO") && DEFINING.stream().anyMatch(lower::contains);
        boolean creates = selectsInto || (!single && !Collections.disjoint(bare, DEFINING));
        defining = block || (creates && Collections.disjoint(bare, TEMPORARY));
    }

    /** Adds a name that has no name behind a point. */
    private void read(SqlText text, int i) {
        String name = text.folded(i);
        boolean qualified = text.is(i - 1, ".");
        boolean ofShard = qualified && SchemaPlaceholder.in(text, i - 2) != null;
        if (text.is(i + 1, "(") && !BEFORE_NO_CALL.contains(text.at(ofShard ? i - 3 : i - 1))) {
            if (!isOurs(text, i, name, ofShard)) {
                boolean any = name.equals("set_config") && (text.settingName(i + 2) == null || !text.is(i + 3, ","));
                calls.add(any ? ANY_SETTING : name);
            }
        }
        if (ofShard) {
            tables.add(name);
        } else if (qualified) {
            fields.add(name);
        } else if (!text.is(i + 1, "=")
                || text.is(i - 1, "::")
                || text.is(i - 1, "COLLATE")
                || name.equals("current_schema")) {
            bare.add(name);
        }
    }

    /** Returns whether this is a function of this library, or one of a sequence that names its schema. */
    private static boolean isOurs(SqlText text, int i, String name, boolean ofShard) {
        return (OURS.contains(name) && (ofShard || text.is(i - 2, "SHARDED_ID")))
                || (i + 2 < text.size() && SchemaPlaceholder.in(text, i + 2) != null && text.isLiteral(i + 2));
    }

    /** Returns the parenthesis before the columns of an INSERT into a table of the placeholder, or -1. */
    private static int columns(SqlText text, int table) {
        int open = table + 3;
        boolean columns = text.is(open, "(")
                && SchemaPlaceholder.in(text, table) != null
                && !STATEMENTS.contains(text.at(text.behindOpening(open)));
        return columns ? open : -1;
    }

    /** Returns whether Hibernate or this library has generated the text, so that its tables have their schema. */
    boolean isGenerated() {
        return generated && single && !escaped;
    }

    boolean isReadable() {
        return single && !escaped;
    }

    /** Returns what it takes in memory, by a generous estimate. */
    int bytes() {
        return 64 * (bare.size() + calls.size() + fields.size() + tables.size() + operators.size());
    }
}
