package io.github.shardedid.routing.internal.connection;

import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One savepoint on every database on which the transaction had begun, and the write binding as it was. Where it begins later, it is set at
 * the begin if the transaction has one snapshot; else a rollback takes all back.
 */
final class RoutingSavepoint implements Savepoint {
    private final int id;
    private final @Nullable String name;
    private final WriteBinding.Bound bound;
    private final LocalSettings.Mark local;
    private final Map<PhysicalConnection, Part> parts = new HashMap<>(2);

    RoutingSavepoint(int id, @Nullable String name, WriteBinding.Bound bound, LocalSettings.Mark local) {
        this.local = local;
        this.id = id;
        this.name = name;
        this.bound = bound;
    }

    /** How many targets the transaction had used on a database, and how many settings it had made there. */
    private record Part(int targets, int settings) {}

    /** On each database. */
    String sqlName() {
        return "sharded_id_" + id;
    }

    WriteBinding.Bound bound() {
        return bound;
    }

    LocalSettings.Mark local() {
        return local;
    }

    void set(PhysicalConnection physical) throws SQLException {
        Part part = new Part(physical.use().count(), physical.use().settings());
        physical.use().touch();
        execute(physical, "SAVEPOINT ");
        parts.put(physical, part);
    }

    private void execute(PhysicalConnection physical, String command) throws SQLException {
        physical.attempt(target -> PhysicalConnection.execute(target, command + sqlName()));
    }

    /** Undoes what was done since. */
    void rollback(PhysicalConnection physical, ConnectionSettings settings) throws SQLException {
        Part part = parts.get(physical);
        if (part == null && !physical.use().hasSnapshot()) {
            physical.rollback();
            physical.begin(settings);
            return;
        }
        physical.path().rolledBackToSavepoint();
        execute(physical, "ROLLBACK TO SAVEPOINT ");
        physical.use().backTo(part == null ? 0 : part.targets, part == null ? 0 : part.settings);
    }

    void release(PhysicalConnection physical) throws SQLException {
        if (parts.remove(physical) != null || physical.use().hasSnapshot()) {
            execute(physical, "RELEASE SAVEPOINT ");
        }
    }

    @Override
    public int getSavepointId() throws SQLException {
        if (name != null) {
            throw new SQLException("The savepoint has a name, " + name + ", not a number.");
        }
        return id;
    }

    @Override
    public String getSavepointName() throws SQLException {
        if (name == null) {
            throw new SQLException("The savepoint has a number, " + id + ", not a name.");
        }
        return name;
    }
}
