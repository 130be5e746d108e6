package io.github.shardedid.boot.matrix;

import io.github.shardedid.boot.app.Photo;
import io.github.shardedid.boot.app.User;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.matrix.Matrix;
import io.github.shardedid.test.matrix.ServerWatch;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** What is done with an application of Spring, in a transaction of Spring or without one. */
abstract class AppMatrix extends Matrix<MatrixApp> {
    @Override
    protected ServerWatch watch() {
        return MatrixApp.shared().watch;
    }

    @Override
    protected IdLayout layout() {
        return MatrixApp.shared().layout();
    }

    @Override
    protected String rows() {
        return MatrixApp.ROWS;
    }

    @Override
    protected @Nullable Object perform(boolean transaction, Steps<MatrixApp> steps) throws Exception {
        MatrixApp app = MatrixApp.shared();
        if (!transaction) {
            return steps.with(app);
        }
        AtomicReference<@Nullable Object> result = new AtomicReference<>();
        transaction(app).executeWithoutResult(status -> {
            try {
                result.set(steps.with(app));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new UndeclaredThrowableException(e);
            }
        });
        return result.get();
    }

    /** That of the situation. */
    TransactionTemplate transaction(MatrixApp app) {
        return app.transaction(TransactionDefinition.PROPAGATION_REQUIRED);
    }

    @Override
    protected void read(MatrixApp app, long id) {
        app.users().findById(id);
    }

    @Override
    protected void write(MatrixApp app, long id) {
        ShardContext.run(layout().shardOf(id), () -> app.jdbc()
                .update("UPDATE sharded_id_shard.app_user SET name = 'written before' WHERE id = ?", id));
    }

    static <T extends @Nullable Object> T within(TransactionTemplate transaction, Supplier<T> work) {
        return transaction.execute(status -> work.get());
    }

    static User user(long id, String name) {
        User user = new User(name);
        user.setId(id);
        return user;
    }

    static Photo photo(long id, long author) {
        Photo photo = new Photo(user(author, ""), "");
        photo.setId(id);
        return photo;
    }

    static String captions(List<Photo> photos) {
        return photos.stream()
                .map(photo -> String.valueOf(photo.getCaption()))
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
