package io.github.shardedid.routing.internal;

import io.github.shardedid.routing.ShardContext;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.function.Supplier;

/** What statements of one routed connection must not do. No database is touched. */
final class StatementRules {
    private final Databases databases;
    private final ConnectionSettings settings;
    private final WriteBinding binding;

    StatementRules(Databases databases, ConnectionSettings settings, WriteBinding binding) {
        this.databases = databases;
        this.settings = settings;
        this.binding = binding;
    }

    /** Refuses what belongs to the methods of the connection, or to a session. */
    void requireAllowed(String sql, SqlTraits traits) throws SQLException {
        if (traits.endsTransaction()) {
            throw new SQLFeatureNotSupportedException(
                    "Transactions span databases here: use the methods of the connection instead of sending "
                            + SqlText.brief(sql));
        }
        traits.session().require(sql, settings.autoCommit);
    }

    /**
     * Refuses to execute, or to add to a batch, in another scope than the one that has decided where the statement goes. Where no
     * scope is open it goes where it was prepared for.
     */
    void requireScope(Router.Route route) throws SQLException {
        requireScope(route.sql(), route.analysis(), route.place());
    }

    void requireScope(PlacedSql text) throws SQLException {
        requireScope(text.sql(), text.analysis(), text.place());
    }

    private void requireScope(String sql, SqlAnalysis analysis, int place) throws SQLException {
        boolean elsewhere = settings.currentPlace().isPresent()
                ? settings.currentPlace().getAsInt() != place
                : ShardContext.currentSet().isPresent();
        if (elsewhere && analysis.schemas() != NamedSchemas.GLOBAL) {
            throw Place.differs(sql, Place.text(place), settings);
        }
    }

    /** What to throw where a statement that was made for several shards is executed in the scope of one, or in none. */
    SQLException outsideSet(String sql) {
        return Place.differs(sql, "several shards", settings);
    }

    /** Refuses a statement that writes to a second shard. */
    void check(String sql, SqlAnalysis analysis, int place) {
        if (analysis.traits().writes() && !settings.autoCommit && binding.refuses(place)) {
            binding.check(place, SqlText.brief(sql), databases);
        }
    }

    void check(PlacedSql text) {
        check(text.sql(), text.analysis(), text.place());
    }

    /** Something other than a statement's text is about to write, in a transaction to its shard only. */
    void write(int place, Supplier<String> what, PhysicalConnection target) {
        if (!settings.autoCommit) {
            if (binding.refuses(place)) {
                binding.check(place, what.get(), databases);
            }
            binding.bind(place, target.database());
        }
    }

    /** Whoever has the driver's own connection relies on what unqualified names mean there. */
    static void requireOwn(PhysicalConnection target, int place) throws SQLException {
        if (target.isHandedOut() && target.handedOutFor() != place) {
            throw new SQLException(
                    "The driver's own connection to database " + target.database() + " was unwrapped for "
                            + Place.text(target.handedOutFor())
                            + ", whose tables unqualified names mean there; refused,"
                            + " and not sent, was something for " + Place.text(place)
                            + ". End the transaction, or close the connection, or take another one for this.",
                    "55000");
        }
    }
}
