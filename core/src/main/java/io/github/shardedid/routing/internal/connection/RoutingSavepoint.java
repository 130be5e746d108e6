package io.github.shardedid.routing.internal.connection;

import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One savepoint on every database on which the transaction had begun, and the write binding as it was. */
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

    /** The savepoint of one database, and how many targets the transaction had used and settings it had made there. */
    private record Part(Savepoint savepoint, int targets, int settings) {}

    WriteBinding.Bound bound() {
        return bound;
    }

    LocalSettings.Mark local() {
        return local;
    }

    void set(PhysicalConnection physical) throws SQLException {
        int targets = physical.use().count();
        int settings = physical.use().settings();
        physical.use().touch();
        physical.attempt(target -> parts.put(
                physical,
                new Part(name == null ? target.setSavepoint() : target.setSavepoint(name), targets, settings)));
    }

    /** Undoes what was done since; everything, on a database on which the transaction began later. */
    void rollback(PhysicalConnection physical, ConnectionSettings settings) throws SQLException {
        Part part = parts.get(physical);
        if (part == null) {
            physical.rollback();
            physical.attempt(settings::begin);
        } else {
            physical.path().rolledBackToSavepoint();
            physical.attempt(target -> target.rollback(part.savepoint));
            physical.use().backTo(part.targets, part.settings);
        }
    }

    void release(PhysicalConnection physical) throws SQLException {
        Part part = parts.remove(physical);
        if (part != null) {
            physical.attempt(target -> target.releaseSavepoint(part.savepoint));
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
