package io.github.shardedid.benchmarks.jpa;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.benchmarks.servers.Database;
import java.util.concurrent.ThreadLocalRandom;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/** A single table of plain JPA, with a pool of its own. The ids of its rows begin at 1. */
public final class PlainTable implements AutoCloseable {
    /** The sequence's value is the last of so many ids. */
    private static final int BLOCK = 50;

    private final int rows;
    private final HikariDataSource pool;
    private final SessionFactory sessions;

    /** Creates the table with so many rows. */
    public PlainTable(int rows, int connections, Database database) throws Exception {
        this.rows = rows;
        database.execute("CREATE SEQUENCE photo_id_seq INCREMENT BY " + BLOCK + " START " + (rows + BLOCK)
                + "; CREATE TABLE photo (id bigint PRIMARY KEY, user_id bigint NOT NULL, caption text);"
                + " INSERT INTO photo SELECT n, n, 'to be found' FROM generate_series(1, " + rows
                + ") n; ANALYZE photo");
        pool = database.pool("plain");
        pool.setMaximumPoolSize(connections);
        sessions = Sessions.of(pool, SavedPlainly.class);
    }

    SessionFactory sessions() {
        return sessions;
    }

    /** Finds any photo in a transaction. */
    public void findAny() {
        sessions.inTransaction(this::any);
    }

    /** Finds any two photos and changes one of them, in one transaction. */
    void updateAny() {
        sessions.inTransaction(session -> {
            SavedPlainly own = any(session);
            own.caption = "after " + any(session).id;
        });
    }

    private SavedPlainly any(Session session) {
        return find(session, 1L + ThreadLocalRandom.current().nextInt(rows));
    }

    static SavedPlainly find(Session session, long id) {
        SavedPlainly found = session.find(SavedPlainly.class, id);
        if (found == null) {
            throw new IllegalStateException("Nothing was found by id " + id);
        }
        return found;
    }

    /** Saves a photo in a transaction. */
    public void save() {
        save(1);
    }

    /** Saves so many photos in one transaction. */
    void save(int number) {
        sessions.inTransaction(session -> {
            for (int i = 0; i < number; i++) {
                session.persist(new SavedPlainly(1, "saved alone"));
            }
        });
    }

    @Override
    public void close() {
        sessions.close();
        pool.close();
    }
}
