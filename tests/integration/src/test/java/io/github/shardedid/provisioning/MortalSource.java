package io.github.shardedid.provisioning;

import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Its connections do a number of calls altogether, and then are gone. */
final class MortalSource extends PGSimpleDataSource {
    private final transient AtomicInteger callsLeft;

    /** The sources of all databases, which are gone together. */
    static Map<String, DataSource> of(TestCluster cluster, int calls) {
        AtomicInteger callsLeft = new AtomicInteger(calls);
        Map<String, DataSource> sources = new TreeMap<>();
        cluster.databases().forEach((name, database) -> sources.put(name, new MortalSource(database, callsLeft)));
        return sources;
    }

    private MortalSource(TestDatabase database, AtomicInteger callsLeft) {
        setUrl(database.url());
        setUser(database.server().username());
        setPassword(database.server().password());
        this.callsLeft = callsLeft;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection raw = super.getConnection();
        return Wrapped.connection(raw, call -> {
            if (call.equals("close")) {
                raw.close();
            } else if (!call.equals("isClosed") && callsLeft.decrementAndGet() < 0) {
                raw.abort(Runnable::run);
                throw new SQLException("the process has been killed", "58000");
            }
        });
    }
}
