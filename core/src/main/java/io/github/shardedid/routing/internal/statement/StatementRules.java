package io.github.shardedid.routing.internal.statement;

import io.github.shardedid.routing.internal.connection.ConnectionSettings;
import io.github.shardedid.routing.internal.target.Databases;
import io.github.shardedid.routing.internal.sql.NamedSchemas;
import io.github.shardedid.routing.internal.connection.PhysicalConnection;
import io.github.shardedid.routing.internal.target.Place;
import io.github.shardedid.routing.internal.sql.SqlAnalysis;
import io.github.shardedid.routing.internal.sql.SqlText;
import io.github.shardedid.routing.internal.sql.SqlTraits;
import io.github.shardedid.routing.internal.connection.WriteBinding;
import io.github.shardedid.routing.internal.sql.WrittenIds;
import io.github.shardedid.routing.MisplacedIdException;
import io.github.shardedid.routing.ShardContext;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What statements of one routed connection must not do. No database is touched. */
public final class StatementRules {
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
    public SQLException outsideSet(String sql) {
        return Place.differs(sql, "several shards", settings);
    }

    /** Refuses a statement that writes to a second shard, or ids of another one. */
    void check(String sql, SqlAnalysis analysis, int place) {
        for (WrittenIds.Literal literal : analysis.ids().literals()) {
            requireOwnId(sql, literal.column(), literal.value(), place);
        }
        if (analysis.traits().writes() && !settings.autoCommit && binding.refuses(place)) {
            binding.check(place, SqlText.brief(sql), databases);
        }
    }

    /** Refuses a parameter that writes an id of another shard; {@code arguments} are those of a setter. */
    void checkParameter(Router.Route route, @Nullable Object @Nullable [] arguments) {
        WrittenIds ids = route.analysis().ids();
        if (!ids.parameters().isEmpty()
                && arguments != null
                && arguments.length > 1
                && arguments[0] instanceof Integer parameter) {
            String column = ids.columnOf(parameter);
            if (column != null && (arguments[1] instanceof Number || arguments[1] instanceof String)) {
                requireOwnId(route.sql(), column, String.valueOf(arguments[1]).strip(), route.place());
            }
        }
    }

    private void requireOwnId(String sql, String column, String value, int place) {
        if (place == Place.GLOBAL || isOf(value, place)) {
            return;
        }
        throw new MisplacedIdException(
                "The value " + value + " for " + column + " is an id of " + whose(value)
                        + ", but the statement is routed to shard " + place
                        + ", where no lookup by that id finds the row: "
                        + SqlText.brief(sql)
                        + ". Nothing was sent. Write the row in the scope of the shard that its id names: ShardContext.run(shard, …).");
    }

    private boolean isOf(String value, int shard) {
        try {
            long id = Long.parseLong(value);
            return databases.cluster().canHaveMade(id) && databases.cluster().shardOf(id) == shard;
        } catch (NumberFormatException e) {
            return true; // the database says what is wrong with it
        }
    }

    private String whose(String value) {
        long id = Long.parseLong(value);
        return databases.cluster().canHaveMade(id)
                ? "shard " + databases.cluster().shardOf(id)
                : "no shard";
    }

    void check(PlacedSql text) {
        check(text.sql(), text.analysis(), text.place());
    }

    /** Something other than a statement's text is about to write, in a transaction to its shard only. */
    public void write(int place, Supplier<String> what, PhysicalConnection target) {
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
