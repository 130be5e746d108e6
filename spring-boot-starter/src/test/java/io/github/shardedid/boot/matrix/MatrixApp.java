package io.github.shardedid.boot.matrix;

import io.github.shardedid.boot.app.PhotoRepository;
import io.github.shardedid.boot.app.RunningApp;
import io.github.shardedid.boot.app.UserRepository;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.matrix.ServerWatch;
import io.github.shardedid.topology.Cluster;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The photo-sharing application on eight shards of two databases, behind taps. */
final class MatrixApp {
    /** A user and two photos; the first has the user's id. */
    static final String ROWS =
            """
            INSERT INTO $.app_user VALUES ($id, 'of old');
            INSERT INTO $.photo VALUES ($id, $id, 'first'), ($next, $id, 'second')
            """;

    private static @Nullable MatrixApp shared;

    final ServerWatch watch;

    /** Statements are never prepared on the server, where they would be executed without being sent again. */
    private final RunningApp app = RunningApp.on(
            PostgresServers.shared(1),
            PostgresServers.shared(2),
            "sharded-id.hikari.data-source-properties.prepareThreshold=0");

    private MatrixApp() {
        watch = new ServerWatch(
                app.databases, app.taps, app::activeConnections, Set.of("app_user", "photo", "photo_like"));
    }

    /** One for all tests of this JVM. */
    static synchronized MatrixApp shared() {
        if (shared == null) {
            shared = new MatrixApp();
        }
        return shared;
    }

    <T> T bean(Class<T> type) {
        return app.bean(type);
    }

    UserRepository users() {
        return bean(UserRepository.class);
    }

    PhotoRepository photos() {
        return bean(PhotoRepository.class);
    }

    JdbcTemplate jdbc() {
        return bean(JdbcTemplate.class);
    }

    TransactionTemplate transaction(int propagation) {
        TransactionTemplate transaction = new TransactionTemplate(bean(PlatformTransactionManager.class));
        transaction.setPropagationBehavior(propagation);
        return transaction;
    }

    IdLayout layout() {
        return bean(Cluster.class).layout();
    }
}
