package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Promise 8: a database that is down takes only its own shards with it, at run time and at start-up. */
@Tag("slow")
class DatabaseDownIntegrationTests {
    private static final String BRIEF = "sharded-id.databases.pg2.hikari.connection-timeout=1000";

    @Test
    void startsAndServesTheOthersWhileOneIsDownAndTakesItInWhenItIsBack() {
        try (PostgresServer mortal = PostgresServers.start();
                RunningApp app = RunningApp.on(PostgresServers.shared(1), mortal, BRIEF)) {
            User up = app.userIn(1);
            User down = app.userIn(6);

            mortal.stop();
            // The first call meets a connection that the server has just closed.
            assertThatThrownBy(() -> app.bean(UserRepository.class).findById(down.id()))
                    .isInstanceOf(DataAccessException.class)
                    .hasStackTraceContaining("pg2");
            serves(app.context, up, down);
            try (ConfigurableApplicationContext second = app.start(BRIEF)) {
                serves(second, up, down);
                mortal.start();
                Awaitility.await().ignoreExceptions().untilAsserted(() -> assertThat(
                                second.getBean(UserRepository.class).findById(down.id()))
                        .isPresent());
            }
        }
    }

    private static void serves(ConfigurableApplicationContext context, User up, User down) {
        UserRepository users = context.getBean(UserRepository.class);
        PhotoRepository photos = context.getBean(PhotoRepository.class);
        assertThat(users.findById(up.id())).isPresent();
        photos.save(new Photo(up, "while the other is down"));
        assertThatThrownBy(() -> users.findById(down.id()))
                .isInstanceOfAny(DataAccessException.class, TransactionException.class, ShardedIdException.class)
                .hasStackTraceContaining("pg2");
        assertThat(photos.countByAuthorId(up.id())).isPositive();
    }
}
