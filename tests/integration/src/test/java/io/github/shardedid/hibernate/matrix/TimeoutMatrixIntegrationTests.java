package io.github.shardedid.hibernate.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;

import io.github.shardedid.test.matrix.Operation;
import io.github.shardedid.test.matrix.Operation.Call;
import io.github.shardedid.topology.ShardSchema;
import jakarta.persistence.LockModeType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.Timeouts;
import org.jspecify.annotations.Nullable;

/** What waits for too long is ended where it waits, and leaves neither a connection nor a transaction behind. */
class TimeoutMatrixIntegrationTests extends SessionMatrix {
    private static final String LOCK_TIMEOUT = "jakarta.persistence.lock.timeout";

    @Override
    protected String heading() {
        return "Timeouts";
    }

    @Override
    protected List<Operation<Session>> operations() {
        return List.of(
                slow("query timeout", "pg_sleep(20)"),
                slow(
                        "query timeout, [plain](guarantees.md#deferred-begin)",
                        "generate_series(1, 20000) a, generate_series(1, 20000) b"),
                reads("lock timeout, the row is free", "of old", call -> locked(call, 20_000)),
                reads("lock timeout, the row is locked", "", call -> lockedTwice(call, 50)),
                reads(
                        "lock without waiting, the row is locked",
                        "",
                        call -> lockedTwice(call, Timeouts.NO_WAIT_MILLI)));
    }

    /** A query that takes longer than the second that it has. */
    private static Operation<Session> slow(String name, String source) {
        return Operation.<Session>reads(name, "", call -> call.session()
                        .createNativeQuery(
                                "select count(*) from {h-schema}memo m, " + source + " where m.id between :id and :id",
                                Long.class)
                        .setParameter("id", call.id())
                        .setHint("jakarta.persistence.query.timeout", 1_000)
                        .getSingleResult())
                .inScope();
    }

    private static @Nullable String locked(Call<Session> call, int milliseconds) {
        Person person = call.session().find(Person.class, call.id());
        if (person != null) {
            call.session().lock(person, LockModeType.PESSIMISTIC_WRITE, Map.of(LOCK_TIMEOUT, milliseconds));
        }
        return person == null ? null : person.name;
    }

    private static @Nullable String lockedTwice(Call<Session> call, int milliseconds) throws SQLException {
        if (call.shard() >= cluster().databases.cluster().shardCount()) {
            return locked(call, milliseconds);
        }
        try (Connection other = cluster().databases.home(call.shard()).connect()) {
            lock(other, call);
            try {
                return locked(call, milliseconds);
            } finally {
                other.rollback();
            }
        }
    }

    /** For another session, past the application. */
    private static void lock(Connection other, Call<Session> call) throws SQLException {
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute("SELECT id FROM " + ShardSchema.nameOf(call.shard()) + ".person WHERE id = " + call.id()
                    + " FOR UPDATE");
        }
    }
}
