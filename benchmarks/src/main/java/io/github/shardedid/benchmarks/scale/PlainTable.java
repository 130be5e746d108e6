package io.github.shardedid.benchmarks.scale;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.jpa.SavedPlainly;
import io.github.shardedid.benchmarks.jpa.Sessions;
import io.github.shardedid.benchmarks.servers.Database;
import java.util.concurrent.ThreadLocalRandom;
import org.hibernate.SessionFactory;

/** A single table of plain JPA, with a pool of its own. */
final class PlainTable implements AutoCloseable {
    /** The sequence's value is the last of so many ids. */
    private static final int BLOCK = 50;

    private final int rows;
    private final HikariDataSource pool;
    private final SessionFactory sessions;

    PlainTable(int rows, int connections, Database database) throws Exception {
        this.rows = rows;
        database.execute("CREATE SEQUENCE photo_id_seq INCREMENT BY " + BLOCK + " START " + (rows + BLOCK)
                + "; CREATE TABLE photo (id bigint PRIMARY KEY, user_id bigint NOT NULL, caption text);"
                + " INSERT INTO photo SELECT n, n, 'to be found' FROM generate_series(1, " + rows
                + ") n; ANALYZE photo");
        pool = database.pool("plain");
        pool.setMaximumPoolSize(connections);
        sessions = Sessions.of(pool, SavedPlainly.class);
    }

    /** Finds any photo in a transaction. */
    void find() {
        long id = 1L + ThreadLocalRandom.current().nextInt(rows);
        sessions.inTransaction(session -> {
            if (session.find(SavedPlainly.class, id) == null) {
                throw new IllegalStateException("Nothing was found by id " + id);
            }
        });
    }

    /** Saves a photo in a transaction. */
    void save() {
        sessions.inTransaction(session -> session.persist(new SavedPlainly(1, "saved alone")));
    }

    @Override
    public void close() {
        sessions.close();
        pool.close();
    }
}
