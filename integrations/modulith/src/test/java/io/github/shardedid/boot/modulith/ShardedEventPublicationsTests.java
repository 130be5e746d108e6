package io.github.shardedid.boot.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.UnownedShardException;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.core.EventPublicationRepository;

class ShardedEventPublicationsTests {
    private final List<Integer> cleaned = new ArrayList<>();

    /** Shards 1 and 2 may be new ones of a database that is not configured here, or of one that was down at the start. */
    @Test
    void shardsWithoutAKnownDatabaseDoNotKeepOthersFromBeingCleaned() {
        List<ShardOwnership> owned = Stream.of(0, 3)
                .map(shard -> new ShardOwnership(shard, "pg1", 1))
                .toList();
        Cluster cluster =
                new Cluster(IdLayout.DEFAULT, CurrentShardMap.fixed(new ShardMap(4, owned, Map.of("pg2", "down"))));
        MethodInterceptor deletes = call -> {
            ShardContext.current().ifPresent(cleaned::add);
            return null;
        };
        EventPublicationRepository repository = ProxyFactory.getProxy(EventPublicationRepository.class, deletes);
        ShardedEventPublications publications = new ShardedEventPublications(
                repository,
                cluster,
                new TransactionShard(
                        new JdbcTemplate(),
                        new DefaultListableBeanFactory().getBeanProvider(EntityManagerFactory.class)));

        assertThatExceptionOfType(UnownedShardException.class)
                .isThrownBy(publications::deleteCompletedPublications)
                .withMessageContaining("pg2");
        assertThat(cleaned).containsExactly(0, 3);
    }
}
