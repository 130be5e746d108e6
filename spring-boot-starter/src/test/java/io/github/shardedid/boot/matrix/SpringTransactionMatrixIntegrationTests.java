package io.github.shardedid.boot.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;
import static io.github.shardedid.test.matrix.Operation.writes;
import static org.springframework.transaction.TransactionDefinition.ISOLATION_REPEATABLE_READ;
import static org.springframework.transaction.TransactionDefinition.ISOLATION_SERIALIZABLE;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NOT_SUPPORTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRES_NEW;

import io.github.shardedid.boot.app.Photo;
import io.github.shardedid.boot.app.User;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.matrix.Operation;
import io.github.shardedid.test.matrix.Operation.Call;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The same work in each kind of transaction that Spring has, within the situation's transaction and without it. */
@Tag("quick")
class SpringTransactionMatrixIntegrationTests extends AppMatrix {
    private static final String NAME = "SELECT name FROM $.app_user WHERE id = $id";

    @Override
    protected String heading() {
        return "Transactions of Spring";
    }

    @Override
    protected List<Operation<MatrixApp>> operations() {
        return List.of(
                reads("`REQUIRED`, reading", "of old", call -> read(call, transaction(call, PROPAGATION_REQUIRED))),
                writes(
                        "`REQUIRED`, writing",
                        NAME,
                        "saved",
                        call -> save(call, transaction(call, PROPAGATION_REQUIRED))),
                reads(
                        "`REQUIRES_NEW`, reading",
                        "of old",
                        call -> read(call, transaction(call, PROPAGATION_REQUIRES_NEW))),
                writes(
                        "`REQUIRES_NEW`, writing",
                        NAME,
                        "saved",
                        call -> save(call, transaction(call, PROPAGATION_REQUIRES_NEW))),
                writes("`REQUIRES_NEW`, rolled back", NAME, "of old", call -> transaction(
                                call, PROPAGATION_REQUIRES_NEW)
                        .executeWithoutResult(status -> {
                            call.session().users().saveAndFlush(user(call.id(), "saved"));
                            status.setRollbackOnly();
                        })),
                writes("rollback-only", NAME, "of old", call -> transaction(call, PROPAGATION_REQUIRED)
                        .executeWithoutResult(
                                outer -> transaction(call, PROPAGATION_REQUIRED).executeWithoutResult(inner -> {
                                    call.session().users().saveAndFlush(user(call.id(), "saved"));
                                    inner.setRollbackOnly();
                                }))),
                writes(
                        "`NOT_SUPPORTED`",
                        NAME,
                        "saved",
                        call -> save(call, transaction(call, PROPAGATION_NOT_SUPPORTED))),
                reads("read-only transaction", "of old", call -> {
                    TransactionTemplate readOnly = transaction(call, PROPAGATION_REQUIRES_NEW);
                    readOnly.setReadOnly(true);
                    return read(call, readOnly);
                }),
                writes("read-only transaction, writing", NAME, "of old", call -> {
                    TransactionTemplate readOnly = transaction(call, PROPAGATION_REQUIRES_NEW);
                    readOnly.setReadOnly(true);
                    readOnly.executeWithoutResult(
                            status -> call.session().users().saveAndFlush(user(call.id() + 1, "new")));
                }),
                reads("`REPEATABLE_READ`", "of old, repeatable read", call -> {
                    TransactionTemplate repeatable = transaction(call, PROPAGATION_REQUIRES_NEW);
                    repeatable.setIsolationLevel(ISOLATION_REPEATABLE_READ);
                    return within(repeatable, () -> call.session()
                            .users()
                            .findById(call.id())
                            .map(user -> user.getName() + ", " + isolation(call))
                            .orElse(null));
                }),
                writes("`SERIALIZABLE`", NAME, "saved", call -> {
                    TransactionTemplate serializable = transaction(call, PROPAGATION_REQUIRES_NEW);
                    serializable.setIsolationLevel(ISOLATION_SERIALIZABLE);
                    save(call, serializable);
                }),
                reads("timeout", "", call -> {
                    TransactionTemplate limited = transaction(call, PROPAGATION_REQUIRES_NEW);
                    limited.setTimeout(1);
                    return limited.<@Nullable String>execute(
                            status -> ShardContext.call(call.shard(), () -> call.session()
                                    .jdbc()
                                    .queryForObject(
                                            "SELECT count(*) FROM sharded_id_shard.app_user u, pg_sleep(20) WHERE u.id = ?",
                                            String.class,
                                            call.id())));
                }),
                reads(
                        "`Stream<T>`",
                        "first, second",
                        call -> within(transaction(call, PROPAGATION_REQUIRED), () -> {
                            try (Stream<Photo> photos = call.session().photos().streamByAuthorId(call.id())) {
                                return captions(photos.toList());
                            }
                        })),
                reads(
                        "`Stream<T>`, left open",
                        "yes",
                        call -> within(
                                transaction(call, PROPAGATION_REQUIRED),
                                () -> call.session()
                                                .photos()
                                                .streamByAuthorId(call.id())
                                                .iterator()
                                                .hasNext()
                                        ? "yes"
                                        : null)),
                reads(
                        "another thread, reading",
                        "of old",
                        call -> onAnotherThread(() -> call.session()
                                .users()
                                .findById(call.id())
                                .map(User::getName)
                                .orElse(null))),
                writes(
                        "another thread, writing",
                        NAME,
                        "saved",
                        call -> onAnotherThread(() -> call.session().users().saveAndFlush(user(call.id(), "saved")))),
                reads("open-in-view, lazy loading", "of old", SpringTransactionMatrixIntegrationTests::inOpenView));
    }

    private static TransactionTemplate transaction(Call<MatrixApp> call, int propagation) {
        return call.session().transaction(propagation);
    }

    private static @Nullable String read(Call<MatrixApp> call, TransactionTemplate transaction) {
        AtomicReference<@Nullable String> name = new AtomicReference<>();
        transaction.executeWithoutResult(
                status -> call.session().users().findById(call.id()).ifPresent(user -> name.set(user.getName())));
        return name.get();
    }

    private static @Nullable String isolation(Call<MatrixApp> call) {
        return ShardContext.call(
                call.shard(), () -> call.session().jdbc().queryForObject("SHOW transaction_isolation", String.class));
    }

    /** A virtual one where there are any. The scope goes along, a transaction does not. */
    private static <T extends @Nullable Object> T onAnotherThread(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Runnable carried = ShardContext.carry(task);
        try {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, carried);
        } catch (NoSuchMethodException e) {
            new Thread(carried).start();
        }
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception failure ? failure : e;
        }
    }

    private static void save(Call<MatrixApp> call, TransactionTemplate transaction) {
        transaction.executeWithoutResult(status -> call.session().users().saveAndFlush(user(call.id(), "saved")));
    }

    /** As Spring's interceptor does for a web request: a session for all of it, transactions only in between. */
    private static @Nullable String inOpenView(Call<MatrixApp> call) {
        EntityManagerFactory factory = call.session().bean(EntityManagerFactory.class);
        if (TransactionSynchronizationManager.hasResource(factory)) {
            return lazily(call);
        }
        EntityManager entities = factory.createEntityManager();
        TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(entities));
        try {
            return lazily(call);
        } finally {
            TransactionSynchronizationManager.unbindResource(factory);
            entities.close();
        }
    }

    private static @Nullable String lazily(Call<MatrixApp> call) {
        return call.session()
                .photos()
                .findById(call.id())
                .map(photo ->
                        photo.getAuthor() == null ? null : photo.getAuthor().getName())
                .orElse(null);
    }
}
