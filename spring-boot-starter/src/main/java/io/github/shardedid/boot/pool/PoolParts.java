package io.github.shardedid.boot.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.pool.PartitionedDataSource;
import io.github.shardedid.pool.PoolPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Creates HikariCP pools whose connections keep to some of the shards. */
public final class PoolParts {
    /** Each part has a thread of its own, and of more parts the memory of a connection hardly shrinks. */
    private static final int MOST = 16;

    /** Of fewer shards, each connection can keep all statements and tables. */
    private static final int FEW_SHARDS = 128;

    private PoolParts() {}

    /**
     * Chooses a number of parts.
     *
     * @param shards the number of logical shards of the cluster
     * @param connections how many the pool can have at most
     * @return from 1 to 16
     */
    public static int suitable(int shards, int connections) {
        return shards < FEW_SHARDS ? 1 : Math.max(1, Math.min(MOST, connections));
    }

    /**
     * Creates a pool. Nothing is connected to.
     *
     * @param config of the whole pool: its connections are distributed over the parts; not changed
     * @param shards the number of logical shards of the cluster
     * @return a {@link PartitionedDataSource}, or a {@link HikariDataSource} if one part suffices
     * @throws IllegalArgumentException if HikariCP refuses the settings
     * @throws IllegalStateException likewise
     */
    public static DataSource create(HikariConfig config, int shards) {
        HikariConfig valid = copy(config);
        PoolSecrets.hide(valid);
        HikariConfig whole = copy(valid);
        valid.validate();
        int parts = suitable(shards, valid.getMaximumPoolSize());
        return parts == 1 ? new HikariDataSource(whole) : partitioned(valid, parts);
    }

    private static PartitionedDataSource partitioned(HikariConfig config, int count) {
        List<PoolPart> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            HikariConfig part = copy(config);
            part.setPoolName(config.getPoolName() + "-part-" + (i + 1));
            part.setMaximumPoolSize(share(config.getMaximumPoolSize(), i, count));
            part.setMinimumIdle(share(config.getMinimumIdle(), i, count));
            parts.add(new PoolPart(new HikariDataSource(part), part.getMaximumPoolSize()));
        }
        return new PartitionedDataSource(config.getPoolName(), parts, Duration.ofMillis(config.getConnectionTimeout()));
    }

    private static int share(int all, int part, int parts) {
        return all / parts + (part < all % parts ? 1 : 0);
    }

    private static HikariConfig copy(HikariConfig config) {
        HikariConfig copy = new HikariConfig();
        config.copyStateTo(copy);
        return copy;
    }
}
