package io.github.shardedid.benchmarks;

import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestPools;
import io.github.shardedid.test.WireTap;
import java.util.List;
import java.util.concurrent.Callable;

/** Two tapped servers. */
public final class Taps implements AutoCloseable {
    private final List<WireTap> taps = List.of(tap(1), tap(2));

    private static WireTap tap(int server) {
        return new WireTap(PostgresServers.shared(server).port());
    }

    /** A new database of the server with a number, from 1, behind its tap. */
    public Database database(int server) {
        return new Database(taps.get(server - 1)
                .url(PostgresServers.shared(server).newDatabase().name()));
    }

    /** Makes what has pools that connect without asking anything. */
    public static <T> T trusting(Callable<T> made) {
        return TestPools.trusting(() -> {
            try {
                return made.call();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** The turns that some work takes on each server. */
    public List<Long> turnsOfEach(Runnable work) {
        taps.forEach(WireTap::reset);
        work.run();
        return taps.stream().map(WireTap::turns).toList();
    }

    /** The turns that some work takes on both. */
    public long turns(Runnable work) {
        return turnsOfEach(work).stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        taps.forEach(WireTap::close);
    }
}
