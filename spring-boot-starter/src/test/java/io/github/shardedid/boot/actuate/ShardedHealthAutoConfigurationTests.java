package io.github.shardedid.boot.actuate;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import io.github.shardedid.topology.ShardOwnership.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Nothing listens at the databases' port: both are down. The map knows of pg2 only that it cannot be reached. */
class ShardedHealthAutoConfigurationTests {
    private static final Duration FENCE_WAIT = Duration.ofSeconds(10);
    private static final Duration MAP_AGE = Duration.ofHours(1);

    private final ApplicationContextRunner runner = runner(Map.of("pg2", "refused"));

    private static ApplicationContextRunner runner(Map<String, String> unreachable) {
        List<ShardOwnership> owned = new ArrayList<>();
        for (int shard = 0; shard < 8; shard++) {
            owned.add(new ShardOwnership(shard, shard < 4 ? "pg1" : "pg2", 1));
        }
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ShardedIdAutoConfiguration.class, ShardedActuatorAutoConfiguration.class))
                .withBean(CurrentShardMap.class, () -> new CurrentShardMap(() -> new ShardMap(8, owned, unreachable)))
                .withPropertyValues(
                        "sharded-id.shards=8",
                        "sharded-id.hikari.connection-timeout=250",
                        "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                        "sharded-id.databases.pg1.shards=0-3",
                        "sharded-id.databases.pg2.url=jdbc:postgresql://localhost:1/app",
                        "sharded-id.databases.pg2.shards=4-7");
    }

    private static Health health(ApplicationContext context, String database) {
        CompositeHealthContributor all = context.getBean("dbHealthContributor", CompositeHealthContributor.class);
        return requireNonNull(((HealthIndicator) requireNonNull(all.getContributor(database))).health());
    }

    private static Health map(ApplicationContext context) {
        return requireNonNull(context.getBean("shardMapHealthIndicator", HealthIndicator.class)
                .health());
    }

    @Test
    void aDatabaseThatIsDownNamesItsShardsAndIsDegraded() {
        runner.run(context -> {
            Health down = health(context, "pg2");

            assertThat(down.getStatus()).isEqualTo(new Status("DEGRADED"));
            assertThat(down.getDetails()).containsEntry("shards", "4-7").containsEntry("unavailableBecause", "refused");
        });
    }

    @Test
    void theStatusIsAsConfigured() {
        runner.withPropertyValues("sharded-id.health.database-down=DOWN").run(context -> {
            assertThat(health(context, "pg2").getStatus()).isEqualTo(Status.DOWN);
            assertThat(map(context).getStatus()).isEqualTo(Status.DOWN);
        });
    }

    @Test
    void theMapIsDegradedWithoutADatabaseAndDownWithoutAny() {
        runner.run(context -> {
            assertThat(map(context).getStatus()).isEqualTo(new Status("DEGRADED"));
            assertThat(map(context).getDetails()).containsEntry("unreachableDatabases", List.of("pg2"));
        });
        runner(Map.of()).run(context -> assertThat(map(context).getStatus()).isEqualTo(Status.UP));
        runner(Map.of("pg1", "refused", "pg2", "refused"))
                .run(context -> assertThat(map(context).getStatus()).isEqualTo(Status.DOWN));
    }

    @Test
    void theMapIsDegradedWithAShardThatNoDatabaseOwnsAndWithoutANewMap() {
        List<ShardOwnership> claims = new ArrayList<>();
        for (int shard = 0; shard < 8; shard++) {
            claims.add(new ShardOwnership(shard, "pg1", 1, shard == 3 ? Standing.LEFT : Standing.SERVING));
        }
        ShardMap map = new ShardMap(8, claims, Map.of());
        CurrentShardMap current = CurrentShardMap.fixed(map.confirming(map, Set.of("pg1", "pg2")));
        Health health = requireNonNull(new ShardMapHealthIndicator(
                        current, List.of("pg1", "pg2"), FENCE_WAIT, MAP_AGE, new Status("DEGRADED"), List::of, Map::of)
                .health());
        assertThat(health.getStatus()).isEqualTo(new Status("DEGRADED"));
        assertThat(health.getDetails()).containsEntry("unownedShards", "3");
        assertThat(health.getDetails().get("problems")).asString().contains("--sharded-id.recover=3");

        AtomicInteger loads = new AtomicInteger();
        CurrentShardMap stale = new CurrentShardMap(() -> {
            if (loads.getAndIncrement() > 0) {
                throw ClusterConfigurationException.Reason.SHARD_OWNERSHIP.of("owned twice");
            }
            return new ShardMap(1, List.of(new ShardOwnership(0, "pg1", 1)), Map.of());
        });
        stale.refreshSince(System.nanoTime());
        health = requireNonNull(new ShardMapHealthIndicator(
                        stale, List.of("pg1"), FENCE_WAIT, MAP_AGE, new Status("DEGRADED"), List::of, Map::of)
                .health());
        assertThat(health.getStatus()).isEqualTo(new Status("DEGRADED"));
        assertThat(health.getDetails()).containsEntry("problems", List.of("owned twice"));
    }

    @Test
    void aMapThatNoDatabaseHasConfirmedForLongIsOld() {
        CurrentShardMap map =
                CurrentShardMap.fixed(new ShardMap(1, List.of(new ShardOwnership(0, "pg1", 1)), Map.of()));
        assertThat(degradedAt(map, Duration.ofHours(1))).isFalse();
        assertThat(degradedAt(map, Duration.ZERO)).isTrue();
    }

    @Test
    void copiesThatReceiveNothingAreAProblem() {
        CurrentShardMap map =
                CurrentShardMap.fixed(new ShardMap(1, List.of(new ShardOwnership(0, "pg1", 1)), Map.of()));
        for (long lag : new long[] {0, 64 << 20, -1, (64 << 20) + 1}) {
            Map<String, Long> lags = Map.of("pg2", lag);
            Health health = new ShardMapHealthIndicator(
                            map, List.of("pg1"), FENCE_WAIT, MAP_AGE, new Status("DEGRADED"), List::of, () -> lags)
                    .health();
            boolean silent = lag < 0 || lag > 64 << 20;
            assertThat(health.getStatus()).as("lag %s", lag).isEqualTo(silent ? new Status("DEGRADED") : Status.UP);
            assertThat(health.getDetails()).containsEntry("replicationLag", lags);
            if (silent) {
                assertThat(health.getDetails().get("problems")).asString().contains("Database pg2 ");
            }
        }
    }

    private static boolean degradedAt(CurrentShardMap map, Duration mapAge) {
        Health health = new ShardMapHealthIndicator(
                        map, List.of("pg1"), FENCE_WAIT, mapAge, new Status("DEGRADED"), List::of, Map::of)
                .health();
        boolean degraded = health.getStatus().equals(new Status("DEGRADED"));
        assertThat(health.getDetails()).containsEntry("mapIsOld", degraded);
        return degraded;
    }

    @Test
    void aShardThatIsFencedForTooLongIsNamed() {
        List<ShardOwnership> claims =
                List.of(new ShardOwnership(0, "pg1", 1), new ShardOwnership(1, "pg1", 1, Standing.FENCED));
        CurrentShardMap map = CurrentShardMap.fixed(new ShardMap(2, claims, Map.of()));
        Status degraded = new Status("DEGRADED");
        List<String> databases = List.of("pg1", "pg2");
        assertThat(new ShardMapHealthIndicator(
                                map, databases, Duration.ofHours(1), MAP_AGE, degraded, List::of, Map::of)
                        .health()
                        .getStatus())
                .isEqualTo(Status.UP);
        Health health = new ShardMapHealthIndicator(map, databases, Duration.ZERO, MAP_AGE, degraded, List::of, Map::of)
                .health();
        assertThat(health.getStatus()).isEqualTo(degraded);
        assertThat(health.getDetails()).containsEntry("fencedShards", "1").containsEntry("mapIsOld", false);
    }

    @Test
    void onlyAClusterWithoutAnyDatabaseIsTakenOutOfService() {
        String[] groups = {
            "management.endpoint.health.probes.enabled=true",
            "management.endpoint.health.group.readiness.include=readinessState,shardMap"
        };
        AutoConfigurations endpoint = AutoConfigurations.of(
                HealthContributorRegistryAutoConfiguration.class,
                AvailabilityHealthContributorAutoConfiguration.class,
                AvailabilityProbesAutoConfiguration.class,
                HealthEndpointAutoConfiguration.class,
                ApplicationAvailabilityAutoConfiguration.class);
        runner.withConfiguration(endpoint).withPropertyValues(groups).run(context -> {
            assertThat(group(context, "liveness")).isEqualTo(Status.UP);
            assertThat(group(context, "readiness")).isEqualTo(Status.UP);
        });
        runner(Map.of("pg1", "refused", "pg2", "refused"))
                .withConfiguration(endpoint)
                .withPropertyValues(groups)
                .run(context -> {
                    assertThat(group(context, "liveness")).isEqualTo(Status.UP);
                    assertThat(group(context, "readiness")).isEqualTo(Status.DOWN);
                });
    }

    private static Status group(ApplicationContext context, String name) {
        ApplicationAvailability availability = context.getBean(ApplicationAvailability.class);
        if (availability.getReadinessState() != ReadinessState.ACCEPTING_TRAFFIC) {
            AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
        }
        return requireNonNull(context.getBean(HealthEndpoint.class).healthForPath(name))
                .getStatus();
    }

    @Test
    void theOnlyDatabaseIsTheWholeApplication() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(ShardedIdAutoConfiguration.class, ShardedActuatorAutoConfiguration.class))
                .withBean(
                        CurrentShardMap.class,
                        () -> new CurrentShardMap(() ->
                                new ShardMap(1, List.of(new ShardOwnership(0, "pg1", 1)), Map.of("pg1", "refused"))))
                .withPropertyValues(
                        "sharded-id.shards=1",
                        "sharded-id.hikari.connection-timeout=250",
                        "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                        "sharded-id.databases.pg1.shards=0")
                .run(context -> assertThat(health(context, "pg1").getStatus()).isEqualTo(Status.DOWN));
    }

    @Test
    void backsOffToIndicatorsOfTheApplication() {
        HealthIndicator own = () -> Health.up().build();
        runner.withBean("dbHealthIndicator", HealthIndicator.class, () -> own)
                .withBean("shardMapHealthIndicator", HealthIndicator.class, () -> own)
                .run(context -> assertThat(context)
                        .doesNotHaveBean("dbHealthContributor")
                        .getBean("shardMapHealthIndicator")
                        .isSameAs(own));
    }

    @Test
    void backsOffWhereItIsSwitchedOff() {
        runner.withPropertyValues("management.health.db.enabled=false", "management.health.shardmap.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean(HealthIndicator.class)
                        .doesNotHaveBean(CompositeHealthContributor.class));
    }

    @Test
    void backsOffWithoutDatabases() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ShardedActuatorAutoConfiguration.class))
                .run(context -> assertThat(context).doesNotHaveBean(CompositeHealthContributor.class));
    }
}
