package io.github.shardedid.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.jcache.spi.CaffeineCachingProvider;
import com.hazelcast.cache.HazelcastMemberCachingProvider;
import io.github.shardedid.databases.TwoDatabases;
import io.github.shardedid.routing.ShardContext;
import java.util.List;
import java.util.Optional;
import javax.cache.spi.CachingProvider;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Providers of JCache as second-level cache. Hazelcast stores its entries as bytes. */
@Tag("slow")
class CacheProvidersIntegrationTests {
    private final TwoDatabases databases = TwoDatabases.create();

    @AfterEach
    void drop() {
        databases.drop();
    }

    private ConfigurableApplicationContext start(Class<? extends CachingProvider> provider) {
        System.setProperty("hazelcast.phone.home.enabled", "false");
        System.setProperty("hazelcast.config", "classpath:hazelcast-alone.xml");
        return databases.start(
                EcosystemApp.class,
                "classpath:db/ecosystem",
                "--spring.jpa.properties.hibernate.javax.cache.provider=" + provider.getName(),
                "--spring.jpa.properties.hibernate.cache.region.factory_class=jcache",
                "--spring.jpa.properties.hibernate.javax.cache.missing_cache_strategy=create",
                "--spring.jpa.properties.hibernate.generate_statistics=true");
    }

    @ParameterizedTest
    @ValueSource(classes = {HazelcastMemberCachingProvider.class, CaffeineCachingProvider.class})
    void rowsOfAllShardsAreCached(Class<? extends CachingProvider> provider) {
        try (ConfigurableApplicationContext context = start(provider)) {
            GadgetRepository gadgets = context.getBean(GadgetRepository.class);
            Statistics statistics = context.getBean(SessionFactory.class).getStatistics();
            List<Gadget> saved = List.of(saved(gadgets, 1), saved(gadgets, 6));
            saved.forEach(gadget -> gadgets.findById(gadget.id()));

            long hits = statistics.getSecondLevelCacheHitCount();
            saved.forEach(gadget -> assertThat(gadgets.findById(gadget.id()))
                    .map(found -> found.name)
                    .contains(gadget.name));
            assertThat(statistics.getSecondLevelCacheHitCount()).isEqualTo(hits + 2);

            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                Optional<Gadget> far = gadgets.findById(saved.get(1).id());
                far.orElseThrow().name = "changed";
            });
            assertThat(gadgets.findById(saved.get(1).id()))
                    .map(found -> found.name)
                    .contains("changed");
            assertThat(gadgets.findById(saved.get(0).id()))
                    .map(found -> found.name)
                    .contains("in 1");
        }
    }

    private static Gadget saved(GadgetRepository gadgets, int shard) {
        return ShardContext.call(shard, () -> gadgets.save(new Gadget("in " + shard)));
    }
}
