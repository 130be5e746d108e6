package io.github.shardedid.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** Writes to a shard without a break, and knows which rows it must have. No call may fail. */
final class ReleasesLoad implements AutoCloseable {
    private static final int THREADS = 2;
    private static final String INSERT = "INSERT INTO sharded_id_shard.photo (caption, tags, code, ratio, large)"
            + " VALUES (?, ARRAY[?, NULL, 'b,\"c'], 'ab', 0.1 + 0.2, repeat('x', 5000)) RETURNING id";

    private final DataSource routed;
    private final int shard;
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    /** The number of changes of each photo that was not deleted. */
    private final Map<Long, Integer> photos = new ConcurrentHashMap<>();

    private volatile boolean stopped;

    ReleasesLoad(DataSource routed, int shard) {
        this.routed = routed;
        this.shard = shard;
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(this::write, "writer-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    /** How many photos there are by now. */
    int size() {
        return photos.size();
    }

    private void write() {
        try {
            while (!stopped) {
                long photo = insert();
                execute("UPDATE sharded_id_shard.photo SET changes = changes + 1 WHERE id = " + photo);
                photos.put(photo, 1);
                execute("INSERT INTO sharded_id_shard.note VALUES ('note', 'cd', '{ \"a\":  1 }'), (NULL, 'ef', NULL)");
                execute("UPDATE sharded_id_shard.note SET body = 'changed' WHERE body = 'note'");
                execute("DELETE FROM sharded_id_shard.note WHERE body IS NULL");
                execute("INSERT INTO sharded_id_shard.visit SELECT date '2026-12-30' + i, '" + photo
                        + "' FROM generate_series(0, 3) i");
                execute(
                        "WITH ids AS (SELECT array_agg(id) AS ids FROM (SELECT sharded_id_shard.next_id('sharded_id_shard.likes_id_seq')"
                                + " AS id FROM generate_series(1, 2)) s) INSERT INTO sharded_id_shard.likes SELECT ids[i], "
                                + photo
                                + ", ids[3 - i] FROM ids, generate_series(1, 2) i");
                if (photo % 3 == 0) {
                    execute("DELETE FROM sharded_id_shard.photo WHERE id = " + photo);
                    photos.remove(photo);
                }
            }
        } catch (SQLException | RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private long insert() throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Connection connection = routed.getConnection();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, "caption of " + Thread.currentThread().getName());
            insert.setString(2, "tag");
            try (ResultSet row = insert.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    private void execute(String sql) throws SQLException {
        try (ShardContext.Scope scope = ShardContext.open(shard);
                Connection connection = routed.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Ends the load; its rows are in the database, each once. */
    void verify(ReleasesCluster cluster) {
        close();
        assertThat(failures).isEmpty();
        String schema = "shard_000" + shard;
        Map<Long, Integer> stored =
                cluster.home(shard).query("SELECT id || ' ' || changes FROM " + schema + ".photo").stream()
                        .map(row -> row.split(" ", -1))
                        .collect(Collectors.toMap(row -> Long.valueOf(row[0]), row -> Integer.valueOf(row[1])));
        assertThat(stored).isEqualTo(photos);
        assertThat(cluster.home(shard).queryLong("SELECT count(*) FROM " + schema + ".audit"))
                .as("triggers have fired once for each photo, deleted ones too")
                .isEqualTo(cluster.home(shard).queryLong("SELECT count(*) FROM " + schema + ".visit") / 4);
    }

    @Override
    public void close() {
        stopped = true;
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
