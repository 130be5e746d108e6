package io.github.shardedid.boot.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;
import static io.github.shardedid.test.matrix.Operation.writes;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_NESTED;
import static org.springframework.transaction.TransactionDefinition.PROPAGATION_REQUIRED;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.matrix.Operation;
import io.github.shardedid.test.matrix.Operation.Call;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of Spring's manager for JDBC, which has savepoints, and transactions nested by them. */
@Tag("quick")
class JdbcTransactionMatrixIntegrationTests extends AppMatrix {
    private static final String NAME = "SELECT name FROM $.app_user WHERE id = $id";

    @Override
    protected String heading() {
        return "Transactions of JDBC";
    }

    @Override
    TransactionTemplate transaction(MatrixApp app) {
        return new TransactionTemplate(new JdbcTransactionManager(app.bean(DataSource.class)));
    }

    @Override
    protected void read(MatrixApp app, long id) {
        ShardContext.run(layout().shardOf(id), () -> name(app, id));
    }

    @Override
    protected List<Operation<MatrixApp>> operations() {
        return Stream.concat(nested(), savepoints()).map(Operation::inScope).toList();
    }

    private Stream<Operation<MatrixApp>> nested() {
        return Stream.of(
                reads(
                        "`NESTED`, reading",
                        "of old",
                        call -> within(within(PROPAGATION_NESTED, call), () -> name(call.session(), call.id()))),
                does("`NESTED`, writing", "renamed", PROPAGATION_NESTED, call -> rename(call, "renamed")),
                writes("`NESTED`, rolled back", NAME, "of old", call -> within(PROPAGATION_NESTED, call)
                        .executeWithoutResult(status -> {
                            rename(call, "renamed");
                            status.setRollbackOnly();
                        })));
    }

    private Stream<Operation<MatrixApp>> savepoints() {
        return Stream.of(
                withSavepoint("savepoint before the first statement, rolled back to", "of old", (call, status) -> {
                    Object savepoint = status.createSavepoint();
                    rename(call, "renamed");
                    status.rollbackToSavepoint(savepoint);
                }),
                withSavepoint("savepoint between writes, rolled back to", "first", (call, status) -> {
                    rename(call, "first");
                    Object savepoint = status.createSavepoint();
                    rename(call, "second");
                    status.rollbackToSavepoint(savepoint);
                }),
                withSavepoint("savepoint, released", "second", (call, status) -> {
                    rename(call, "first");
                    Object savepoint = status.createSavepoint();
                    rename(call, "second");
                    status.releaseSavepoint(savepoint);
                }),
                withSavepoint("savepoint before a failure, rolled back to", "third", (call, status) -> {
                    rename(call, "first");
                    Object savepoint = status.createSavepoint();
                    try {
                        rename(call, null);
                    } catch (DataAccessException e) {
                        status.rollbackToSavepoint(savepoint);
                    }
                    rename(call, "third");
                }));
    }

    private interface WithSavepoint {
        void with(Call<MatrixApp> call, TransactionStatus status);
    }

    private Operation<MatrixApp> withSavepoint(String name, String left, WithSavepoint steps) {
        return writes(name, NAME, left, call -> within(PROPAGATION_REQUIRED, call)
                .executeWithoutResult(status -> steps.with(call, status)));
    }

    private Operation<MatrixApp> does(String name, String left, int propagation, Consumer<Call<MatrixApp>> work) {
        return writes(
                name, NAME, left, call -> within(propagation, call).executeWithoutResult(status -> work.accept(call)));
    }

    private TransactionTemplate within(int propagation, Call<MatrixApp> call) {
        TransactionTemplate template = transaction(call.session());
        template.setPropagationBehavior(propagation);
        return template;
    }

    private static @Nullable String name(MatrixApp app, long id) {
        return app.jdbc().queryForObject("SELECT name FROM sharded_id_shard.app_user WHERE id = ?", String.class, id);
    }

    private static void rename(Call<MatrixApp> call, @Nullable String name) {
        call.session().jdbc().update("UPDATE sharded_id_shard.app_user SET name = ? WHERE id = ?", name, call.id());
    }
}
