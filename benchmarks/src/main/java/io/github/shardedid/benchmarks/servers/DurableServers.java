package io.github.shardedid.benchmarks.servers;

import java.sql.SQLException;
import java.util.List;

/** Embedded servers that write what they commit to disk, until this is closed. Servers elsewhere stay as they are. */
public record DurableServers(List<Database> databases) implements AutoCloseable {
    /** Of the servers of these databases. */
    public static DurableServers of(Database... databases) throws SQLException {
        DurableServers servers = new DurableServers(List.of(databases));
        servers.set("fsync = on");
        return servers;
    }

    private void set(String setting) throws SQLException {
        for (Database database : Database.embedded() ? databases : List.<Database>of()) {
            database.execute("ALTER SYSTEM SET " + setting);
            database.execute("SELECT pg_reload_conf()");
        }
    }

    @Override
    public void close() throws SQLException {
        set("fsync = off");
    }
}
