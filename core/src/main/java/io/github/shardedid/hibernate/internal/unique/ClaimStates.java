package io.github.shardedid.hibernate.internal.unique;

import io.github.shardedid.WayOut;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.UniqueAttributes;
import io.github.shardedid.hibernate.internal.unique.UniqueKey.StoredColumn;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.SessionFactory;
import org.hibernate.SessionFactoryObserver;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether all rows have claimed their values, for each unique key: stored in the table of claims of shard 0, so that it moves and is
 * restored with the shard. It is read when a session factory is built, after the columns of its unique keys were checked, and decided as follows:
 *
 * <ol>
 *   <li>If a key is stored as ready, its claims name every row.
 *   <li>If a key is not stored, and no shard has a row with a value of it, it is stored as ready: each row will claim its value.
 *   <li>If there are rows, the start is refused, unless the application is configured to build claims. Then the key is stored as being built: each
 *       write claims, but queries do not go by claims, since a row without one would not be found.
 *   <li>If a key is stored as being built, the same holds: an instance that builds has claimed some of the rows.
 *   <li>If a key is stored that the session factory does not have, but its entities write a column of it, their rows will have no claims: the key is
 *       stored as one whose build begins, also if another one is under way, which has passed the ids of new rows. Instances that run
 *       with the key go by its claims until they end.
 *   <li>If the state cannot be read, because the database of shard 0 is down, the key is taken for one that is being built, until it can
 *       be read.
 * </ol>
 *
 * <p>A key that compares values differently has another name, so it is not stored.
 */
public final class ClaimStates implements SessionFactoryObserver {
    private static final Logger LOG = LoggerFactory.getLogger(ClaimStates.class);

    /** Where the state of the cluster is. Each cluster has this shard, for ever. */
    private static final int SHARD = 0;

    private static final String FAULTY_COLUMNS = RoutingControl.fileOf(ClaimStates.class, "faulty_columns.sql");
    private static final String READ =
            "SELECT value, id, transaction FROM " + ClaimTable.TABLE + " WHERE attribute = '#state'";
    private static final String STORE = "INSERT INTO " + ClaimTable.TABLE
            + " (attribute, value, id, transaction, database, generation) VALUES ('#state', ?, ?,"
            + " cast(pg_catalog.clock_timestamp() AS text), '', 0)"
            + " ON CONFLICT (attribute, value) DO NOTHING RETURNING true";
    private static final String FINISH = "UPDATE " + ClaimTable.TABLE
            + " SET id = 1 WHERE attribute = '#state' AND value = ? AND transaction = ? RETURNING true";

    private static final String RESTART = "UPDATE " + ClaimTable.TABLE
            + " SET id = 0, transaction = cast(pg_catalog.clock_timestamp() AS text)"
            + " WHERE attribute = '#state' AND value = ANY (cast(? AS text[])) RETURNING true";

    private final transient RoutingDataSource source;
    private final transient UniqueKeys keys;
    private final transient Set<String> written;
    private final boolean builds;

    /**
     * What is stored of a key.
     *
     * @param ready whether each row has claimed its value
     * @param build when the build began, by which the positions of another one are distinguished
     */
    record State(boolean ready, String build) {}

    /**
     * Creates the states of the keys of a session factory.
     *
     * @param written the columns that the entities write, each after its table and a dot
     * @param builds whether the application is configured to start while claims are being built
     */
    public ClaimStates(RoutingDataSource source, UniqueKeys keys, Set<String> written, boolean builds) {
        this.source = source;
        this.keys = keys;
        this.written = written;
        this.builds = builds;
    }

    private ClaimTable table() {
        return new ClaimTable(source, SHARD, null, 0);
    }

    /** Reads the states, by name. */
    Map<String, State> read() throws SQLException {
        return read(table());
    }

    private static Map<String, State> read(ClaimTable table) throws SQLException {
        Map<String, State> states = new HashMap<>();
        table.list(READ, row -> states.put(row.getString(1), new State(row.getLong(2) == 1, row.getString(3))));
        return states;
    }

    /** Stores that a build has claimed the values of all rows. Returns false if another build has begun since. */
    boolean finish(UniqueKey key, State state) throws SQLException {
        return table().is(FINISH, key.name(), state.build);
    }

    /** Decides the states of the keys. Runs after the checks of the mappings, when all shards have been migrated. */
    @Override
    public void sessionFactoryCreated(SessionFactory factory) {
        List<UniqueKey> all = keys.all(factory.unwrap(SessionFactoryImplementor.class));
        Set<String> unbuilt = new HashSet<>();
        List<String> problems = new ArrayList<>();
        // Over an ordinary connection: an application without unique keys opens no pool for this.
        try (Connection connection = source.getConnection()) {
            if (!all.isEmpty()) {
                checkColumns(factory.unwrap(SessionFactoryImplementor.class), problems);
            }
            Map<String, State> stored = read(new ClaimTable(source, SHARD, connection, 0));
            restart(stored, all);
            for (UniqueKey key : all) {
                State state = stored.get(key.name());
                if ((state == null || !state.ready) && !begin(key, state, problems)) {
                    unbuilt.add(key.name());
                }
            }
        } catch (SQLException e) {
            all.forEach(key -> unbuilt.add(key.name()));
            String of = all.isEmpty()
                    ? "columns that this application writes, and that another one may have as unique"
                    : all.toString();
            LOG.warn(
                    "It is not known whether all rows have claimed their values of {}, as the claims of shard {} could not be"
                            + " read: {}. Until they can be, no query finds its row by these values alone",
                    of,
                    SHARD,
                    e.getMessage());
        }
        if (!problems.isEmpty()) {
            throw new ShardedIdMappingException(problems);
        }
        keys.setUnbuilt(unbuilt, this);
    }

    /** Stores that other keys have to be built, because the entities write their columns without claims. */
    private void restart(Map<String, State> stored, List<UniqueKey> all) {
        List<String> others = stored.keySet().stream()
                .filter(name -> all.stream().noneMatch(key -> key.name().equals(name)))
                .filter(name -> UniqueAttributes.hasAny(name, written))
                .toList();
        String effect = "the other one is refused at its next start, until the claims are built";
        try {
            if (!others.isEmpty()) {
                table().list(RESTART, row -> true, ClaimTable.array(others, String::toString));
            }
        } catch (SQLException e) {
            effect =
                    "the other one goes by claims that will be missing, as this could not be stored: " + e.getMessage();
        }
        if (stored.entrySet().stream().anyMatch(each -> others.contains(each.getKey()) && each.getValue().ready)) {
            LOG.warn(
                    "This application writes columns of {}, which another one has as @UniqueAcrossShards, but claims no values of"
                            + " them: {}. Annotate the attributes, or map them with insertable = false and updatable = false; then run {}",
                    others,
                    effect,
                    WayOut.BUILD_CLAIMS.of());
        }
    }

    /** Adds a problem for each column of which no claim can be judged: its row does not show the value that was written. */
    private void checkColumns(SessionFactoryImplementor factory, List<String> problems) throws SQLException {
        List<StoredColumn> columns = keys.columns(factory);
        table().list(
                        FAULTY_COLUMNS,
                        row -> problems.add(columns.get(row.getInt(1) - 1).key() + " is @UniqueAcrossShards, but "
                                + row.getString(2) + "."),
                        ClaimTable.array(columns, StoredColumn::table),
                        ClaimTable.array(columns, StoredColumn::name),
                        ClaimTable.array(columns, StoredColumn::kind),
                        ClaimTable.array(columns, column -> String.valueOf(column.isLeftOut())),
                        ShardSchema.nameOf(SHARD));
    }

    /** Returns whether a key is ready that was not when the states were read. Adds a problem if the start is refused. */
    private boolean begin(UniqueKey key, @Nullable State before, List<String> problems) throws SQLException {
        String unknown = null;
        boolean values = true;
        try {
            values = before != null || hasValues(key);
        } catch (SQLException e) {
            unknown = e.getMessage();
        }
        if (before == null && (builds || !values)) {
            table().is(STORE, key.name(), values ? 0 : 1);
        }
        State now = read().get(key.name()); // another instance may have decided at the same time
        if (now != null && now.ready) {
            return true;
        } else if (now != null && builds) {
            LOG.warn(
                    "The claims of {} are being built: rows that have not claimed their values yet may have one that is taken,"
                            + " and no query finds its row by these values alone. Run {} when all instances run with this"
                            + " configuration",
                    key,
                    WayOut.BUILD_CLAIMS.of());
        } else {
            problems.add(refusal(key, unknown));
        }
        return false;
    }

    private static String refusal(UniqueKey key, @Nullable String unknown) {
        return unknown == null
                ? "Rows have values of " + key
                        + ", which is @UniqueAcrossShards, but have not claimed them, since the annotation is new, or an application"
                        + " without it has started since: such a value could be taken again, and no query would find its row. Start all instances with "
                        + WayOut.START_WITH_UNBUILT_CLAIMS.of() + ", so that what they write is claimed; then run "
                        + WayOut.BUILD_CLAIMS.of()
                        + ", which claims the values of the other rows, and reports duplicates. Or"
                        + " remove the annotation."
                : "It is not known whether rows have values of " + key + ", which is new as @UniqueAcrossShards: "
                        + unknown + " Start the database, and the application again.";
    }

    private boolean hasValues(UniqueKey key) throws SQLException {
        try (var scope = RoutedScope.open(ShardSet.all());
                Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement(key.anyQuery());
                ResultSet row = query.executeQuery()) {
            return row.next();
        }
    }
}
