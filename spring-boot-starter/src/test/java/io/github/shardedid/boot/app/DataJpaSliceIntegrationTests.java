package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase.Replace;
import org.springframework.boot.jpa.test.autoconfigure.TestEntityManager;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Boot's own slice for repositories: the shards are in it, and what a test has written is rolled back. */
@DataJpaTest
@AutoConfigureTestDatabase(replace = Replace.NONE)
class DataJpaSliceIntegrationTests {
    @Autowired
    private UserRepository users;

    @Autowired
    private TestEntityManager entities;

    @Autowired
    private DataSource dataSource;

    @DynamicPropertySource
    static void databases(DynamicPropertyRegistry registry) {
        RunningApp.shared().properties().forEach((name, value) -> registry.add(name, () -> value));
    }

    @Test
    void repositoriesWorkOnShards() {
        User user = ShardContext.call(6, () -> entities.persistAndFlush(new User("in a slice")));
        entities.clear();

        assertThat(dataSource).isInstanceOf(RoutingDataSource.class);
        assertThat(RunningApp.shared().shardOf(user.id())).isEqualTo(6);
        assertThat(users.findById(user.id())).get().isNotSameAs(user);
        assertThat(RunningApp.shared().bean(UserRepository.class).existsById(user.id()))
                .as("seen by another application before the test's end")
                .isFalse();
    }

    @Test
    void theRulesHoldToo() {
        assertThatThrownBy(() -> users.findByName("anybody")).isInstanceOf(NoShardException.class);
    }
}
