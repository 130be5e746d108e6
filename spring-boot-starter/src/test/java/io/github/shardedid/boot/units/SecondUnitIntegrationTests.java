package io.github.shardedid.boot.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.boot.autoconfigure.Analyses;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.context.ConfigurableApplicationContext;

/** Repositories belong to the persistence unit that they use, and not to another one that has their entity too. */
class SecondUnitIntegrationTests {
    private final List<TestDatabase> databases = new ArrayList<>();

    @AfterEach
    void drop() {
        databases.forEach(TestDatabase::drop);
    }

    private TestDatabase database(int server) {
        TestDatabase made = PostgresServers.shared(server).newDatabase();
        databases.add(made);
        return made;
    }

    private ConfigurableApplicationContext start(TestDatabase legacy, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "sharded-id.shards=4",
                "sharded-id.migrations=classpath:db/units",
                "sharded-id.databases.pg1.shards=0-3",
                "legacy.url=" + legacy.url(),
                "legacy.username=" + legacy.server().username(),
                "legacy.password=" + legacy.server().password()));
        properties.addAll(DatabaseProperties.of("pg1", database(1)));
        properties.addAll(List.of(more));
        return new SpringApplicationBuilder(UnitsApp.class)
                .properties(properties.toArray(String[]::new))
                .run();
    }

    private TestDatabase legacyDatabase() {
        TestDatabase legacy = database(2);
        legacy.execute("CREATE TABLE parcel (id uuid PRIMARY KEY, depot text NOT NULL, label text NOT NULL)");
        return legacy;
    }

    @Test
    void theRepositoriesOfAnUnshardedUnitAreNotRouted() {
        TestDatabase legacy = legacyDatabase();
        try (ConfigurableApplicationContext context = start(legacy)) {
            LegacyParcels old = context.getBean(LegacyParcels.class);
            ParcelRepository parcels = context.getBean(ParcelRepository.class);
            old.saveAll(List.of(new Parcel("north", "first"), new Parcel("south", "second")));

            assertThat(legacy.query("SELECT count(*) FROM parcel")).containsExactly("2");
            assertThat(old.findAll()).hasSize(2);
            assertThat(old.findByLabel("second")).hasSize(1);
            Parcel first = old.findByLabel("first").get(0);
            assertThat(old.findById(first.id())).isPresent();
            parcels.saveAll(old.findAll());
            old.deleteAll();

            assertThat(old.count()).isZero();
            assertThat(parcels.findByDepot("north")).extracting(Parcel::label).containsExactly("first");
            assertThatThrownBy(parcels::findAll)
                    .isInstanceOf(NoShardException.class)
                    .hasFieldOrPropertyWithValue("ofValue", true);
            assertThatThrownBy(() -> parcels.findByLabel("first"))
                    .isInstanceOf(NoShardException.class)
                    .hasFieldOrPropertyWithValue("ofValue", true);
        }
    }

    @Test
    void anUnshardedUnitWithShardedIdsIsRefusedByItsName() {
        TestDatabase legacy = legacyDatabase();
        assertThatThrownBy(() -> start(legacy, "legacy.packages=io.github.shardedid.boot.refused"))
                .satisfies(failure -> {
                    FailureAnalysis analysis = Analyses.of(failure);
                    assertThat(analysis.getCause())
                            .hasFieldOrPropertyWithValue(
                                    "reason", ClusterConfigurationException.Reason.PERSISTENCE_UNIT);
                    assertThat(analysis.getDescription())
                            .contains(
                                    "the persistence unit \"legacy\"",
                                    "The id io.github.shardedid.boot.refused.",
                                    ".id has @ShardedId",
                                    "limit its packages to classes without @ShardedId",
                                    "by JDBC");
                    assertThat(analysis.getAction()).contains("Limit the packages of the persistence unit");
                });
    }
}
