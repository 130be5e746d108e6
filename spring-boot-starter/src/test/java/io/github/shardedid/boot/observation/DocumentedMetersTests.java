package io.github.shardedid.boot.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.autoconfigure.FixedMap;
import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.data.ShardedJpaAutoConfiguration;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The tables of the monitoring page are what there is: meters with kinds, units and tags, and observations with key values. */
class DocumentedMetersTests {
    private static final Pattern METER =
            Pattern.compile("(?m)^\\| `(sharded\\.id\\.[a-z.]+)` \\| ([a-z, ]+) \\| ([^|]*) \\| [^|]{5,} \\|$");
    private static final Pattern OBSERVATION =
            Pattern.compile("(?m)^\\| `(sharded\\.id\\.[a-z.]+)` \\| (–|`[^|]*) \\| (–|`[^|]*) \\| [^|]{5,} \\|$");
    private static final Pattern CODE = Pattern.compile("`([a-z_]+)`");

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withUserConfiguration(FixedMap.class)
            .withConfiguration(AutoConfigurations.of(
                    ShardedIdAutoConfiguration.class,
                    ShardedJpaAutoConfiguration.class,
                    ShardedObservationAutoConfiguration.class,
                    HibernateJpaAutoConfiguration.class,
                    MetricsAutoConfiguration.class,
                    CompositeMeterRegistryAutoConfiguration.class,
                    SimpleMetricsExportAutoConfiguration.class))
            .withPropertyValues(
                    "sharded-id.epoch=2024-01-01T00:00:00Z",
                    "sharded-id.shards=128",
                    "sharded-id.databases.pg1.shards=0-63",
                    "sharded-id.databases.pg2.shards=64-127",
                    "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.databases.pg2.url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.databases.pg2.replicas[0].url=jdbc:postgresql://localhost:1/app",
                    "sharded-id.hikari.connection-timeout=250",
                    "sharded-id.provisioning.check-sequences=false",
                    "sharded-id.global.database=pg1");

    private static Stream<MatchResult> rows(Pattern row) throws IOException {
        return row.matcher(Files.readString(Path.of("../docs/monitoring.md"))).results();
    }

    private static List<String> keys(String cell) {
        return CODE.matcher(cell)
                .results()
                .map(found -> found.group(1))
                .sorted()
                .toList();
    }

    @Test
    void theTableOfMetersIsWhatIsRegistered() throws IOException {
        Map<String, String> documented = rows(METER)
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> row.group(2).strip() + keys(row.group(3)),
                        (a, b) -> a,
                        TreeMap::new));
        runner.run(context -> {
            Map<String, String> registered = new TreeMap<>();
            for (Meter meter : context.getBean(MeterRegistry.class).getMeters()) {
                if (meter.getId().getName().startsWith("sharded.id.")
                        && !meter.getId().getName().endsWith(".histogram")) { // which the simple registry shows itself
                    String before = registered.put(meter.getId().getName(), describe(meter.getId()));
                    assertThat(before).isIn(null, describe(meter.getId()));
                    assertThat(meter.getId().getDescription()).isNotBlank();
                }
            }
            assertThat(registered).hasSizeGreaterThan(8).isEqualTo(documented);
        });
    }

    private static String describe(Meter.Id meter) {
        String kind =
                switch (meter.getType()) {
                    case DISTRIBUTION_SUMMARY -> "summary";
                    default -> meter.getType().name().toLowerCase(Locale.ROOT);
                };
        return kind
                + (meter.getBaseUnit() == null ? "" : ", " + meter.getBaseUnit())
                + meter.getTags().stream().map(Tag::getKey).sorted().toList();
    }

    @Test
    void theTableOfObservationsIsWhatIsObserved() throws IOException {
        Map<String, String> documented = rows(OBSERVATION)
                .filter(row -> !row.group(2).matches("gauge.*|counter.*|timer.*|summary.*"))
                .collect(Collectors.toMap(
                        row -> row.group(1),
                        row -> keys(row.group(2)) + " " + keys(row.group(3)),
                        (a, b) -> a,
                        TreeMap::new));
        Map<String, String> observed = Stream.of(ShardedObservations.Kind.values())
                .collect(Collectors.toMap(
                        each -> each.observed,
                        each -> sorted(each.low) + " " + sorted(each.high),
                        (a, b) -> a,
                        TreeMap::new));
        assertThat(observed).isEqualTo(documented);
    }

    private static List<String> sorted(List<String> keys) {
        return keys.stream().sorted().toList();
    }
}
