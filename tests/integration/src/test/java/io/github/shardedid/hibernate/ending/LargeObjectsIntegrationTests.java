package io.github.shardedid.hibernate.ending;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.ShardSchema;
import java.sql.SQLException;
import java.util.List;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A row with a large object is written in the transaction that writes the large object, also if it is all that is written. */
@Tag("quick")
class LargeObjectsIntegrationTests {
    private static final int SHARD = 1;

    private static TestCluster cluster;
    private static TestDatabase database;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        cluster = new TestCluster(IdLayout.DEFAULT, 2, 2);
        database = cluster.home(SHARD);
        database.execute(
                """
                CREATE TABLE $.scan (id bigint PRIMARY KEY, image oid);
                CREATE SEQUENCE $.scan_id_seq MINVALUE 0;
                CREATE FUNCTION $.refuse() RETURNS trigger LANGUAGE plpgsql AS $body$ BEGIN
                    IF convert_from(lo_get(NEW.image), 'UTF8') = 'refused' THEN RAISE EXCEPTION 'refused'; END IF;
                    RETURN NEW; END $body$;
                CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON $.scan FOR EACH ROW EXECUTE FUNCTION $.refuse();
                """
                        .replace("$.", ShardSchema.nameOf(SHARD) + "."));
        Configuration configuration = new Configuration().addAnnotatedClass(Scan.class);
        configuration.getProperties().put("hibernate.connection.datasource", cluster.dataSource());
        sessions = configuration.buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        cluster.close();
    }

    private static Scan scan(String content) {
        Scan scan = new Scan();
        set(scan, content);
        return scan;
    }

    private static void set(Scan scan, String content) {
        scan.image = Hibernate.getLobHelper().createBlob(content.getBytes(UTF_8));
    }

    private static long stored(String content) {
        return ShardContext.call(
                SHARD,
                () -> sessions.fromTransaction(session -> {
                    Scan scan = scan(content);
                    session.persist(scan);
                    return scan.id();
                }));
    }

    private static List<String> contents(long id) {
        return database.query("SELECT convert_from(lo_get(image), 'UTF8') FROM " + ShardSchema.nameOf(SHARD)
                + ".scan WHERE id = " + id);
    }

    /** The state of the first {@link SQLException}: later ones are what led to it. */
    private static String reason(Throwable failure) {
        return failure instanceof SQLException sql ? sql.getSQLState() : reason(requireNonNull(failure.getCause()));
    }

    @Test
    void insertsAndUpdatesOfOneRow() {
        long id = stored("first");
        assertThat(contents(id)).containsExactly("first");

        sessions.inTransaction(session -> set(session.find(Scan.class, id), "second"));

        assertThat(contents(id)).containsExactly("second");
        String read = sessions.fromTransaction(session -> {
            try {
                Scan scan = requireNonNull(session.find(Scan.class, id));
                return new String(scan.image().getBytes(1, 100), UTF_8);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(read).isEqualTo("second");
    }

    @Test
    void ofARefusedRowNothingIsLeft() {
        long id = stored("kept");
        List<String> before = database.query("SELECT count(*) FROM pg_largeobject_metadata");

        assertThatThrownBy(() -> stored("refused"))
                .extracting(LargeObjectsIntegrationTests::reason)
                .isEqualTo("P0001");
        assertThatThrownBy(() -> sessions.inTransaction(session -> set(session.find(Scan.class, id), "refused")))
                .extracting(LargeObjectsIntegrationTests::reason)
                .isEqualTo("P0001");

        assertThat(contents(id)).containsExactly("kept");
        assertThat(database.query("SELECT count(*) FROM pg_largeobject_metadata"))
                .isEqualTo(before);
    }
}
