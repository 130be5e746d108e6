package io.github.shardedid.boot.app;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationView;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/** What an application with registries sees of its statements: spans, and figures. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ObservedIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final ConfigurableApplicationContext context = app.start(Observed.class);
    private final UserRepository users = context.getBean(UserRepository.class);
    private final PhotosEverywhere everywhere = context.getBean(PhotosEverywhere.class);
    private final TestObservationRegistry observations = context.getBean(TestObservationRegistry.class);
    private final Spans spans = context.getBean(Spans.class);

    /** Not found by the scan of others. */
    @Import(PhotoSharing.class)
    static class Observed {
        @Bean
        Spans spans() {
            return new Spans();
        }

        @Bean
        TestObservationRegistry observations() {
            return TestObservationRegistry.create();
        }

        @Bean
        SimpleMeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    /** What has ended. Boot adds a handler that is a bean to the registry. */
    static final class Spans implements ObservationHandler<Observation.Context> {
        private final Queue<Observation.Context> ended = new ConcurrentLinkedQueue<>();

        @Override
        public void onStop(Observation.Context span) {
            ended.add(span);
        }

        @Override
        public boolean supportsContext(Observation.Context span) {
            return true;
        }

        List<Observation.Context> of(String name) {
            return ended.stream().filter(span -> name.equals(span.getName())).toList();
        }
    }

    @AfterAll
    void close() {
        context.close();
    }

    /** Within a span of the application, which is the parent of all. */
    private Observation.Context within(Runnable work) {
        spans.ended.clear();
        Observation request = Observation.createNotStarted("request", observations);
        request.observe(work);
        assertThat(observations.getCurrentObservation()).isNull();
        return request.getContext();
    }

    private static Map<String, String> values(KeyValues keys) {
        return keys.stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
    }

    private static @Nullable Object parent(Observation.Context span) {
        ObservationView parent = span.getParentObservation();
        return parent == null ? null : parent.getContextView();
    }

    @Test
    void aStatementIsASpanWithItsDatabaseAndItsShard() {
        User user = app.userIn(5);
        Observation.Context request =
                within(() -> assertThat(users.findById(user.id())).isPresent());

        assertThat(spans.of("sharded.id.statement")).singleElement().satisfies(span -> {
            assertThat(span.getContextualName()).isEqualTo("read pg2");
            assertThat(values(span.getLowCardinalityKeyValues()))
                    .containsOnly(Map.entry("database", "pg2"), Map.entry("kind", "read"));
            assertThat(values(span.getHighCardinalityKeyValues())).containsOnly(Map.entry("shard", "5"));
            assertThat(parent(span)).isNotNull();
            assertThat(span.getError()).isNull();
        });
        assertThat(spans.ended).contains(request);
    }

    @Test
    void aGlobalStatementHasNoShard() {
        within(() -> context.getBean(SettingRepository.class).findById("none"));

        assertThat(spans.of("sharded.id.statement")).singleElement().satisfies(span -> assertThat(
                        values(span.getAllKeyValues()))
                .containsOnly(Map.entry("database", "pg2"), Map.entry("kind", "read")));
    }

    @Test
    void aStatementThatFailsHasItsError() {
        JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
        within(() -> ShardContext.run(1, () -> assertThatThrownBy(() -> jdbc.execute("UPDATE no_such_table SET a = 1"))
                .isInstanceOf(DataAccessException.class)));

        // Once more after the map was asked: perhaps the shard had moved.
        assertThat(spans.of("sharded.id.statement")).isNotEmpty().allSatisfy(span -> {
            assertThat(values(span.getAllKeyValues()))
                    .containsOnly(Map.entry("database", "pg1"), Map.entry("kind", "write"), Map.entry("shard", "1"));
            assertThat(span.getError()).hasMessageContaining("no_such_table");
        });
    }

    @Test
    void theStatementsOfAQueryOverSeveralShardsAreItsChildrenOnWhateverThreads() {
        within(() -> everywhere.existsByCaption("nobody's"));

        Observation.Context query = requireNonNull(
                spans.of("sharded.id.all.shards").stream().findAny().orElse(null));
        assertThat(values(query.getAllKeyValues()))
                .containsOnly(Map.entry("shards", "8"), Map.entry("databases", "pg1, pg2"));
        List<Observation.Context> statements = spans.of("sharded.id.statement");
        assertThat(statements)
                .hasSize(2)
                .allSatisfy(span -> assertThat(parent(span)).isSameAs(query))
                .extracting(span -> values(span.getAllKeyValues()))
                .containsExactlyInAnyOrder(
                        Map.of("database", "pg1", "kind", "all_shards", "shard", "0-3"),
                        Map.of("database", "pg2", "kind", "all_shards", "shard", "4-7"));
    }

    @Test
    void aQueryOverSeveralShardsThatFailsHasItsErrorAndSoHasItsStatement() {
        JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
        app.userIn(2);
        within(() -> ShardContext.run(ShardSet.of(List.of(2, 6)), () -> assertThatThrownBy(
                        () -> jdbc.queryForList("SELECT id / 0 FROM sharded_id_shard.app_user"))
                .isInstanceOf(DataAccessException.class)));

        assertThat(spans.of("sharded.id.all.shards")).singleElement().satisfies(span -> assertThat(span.getError())
                .isNotNull());
        assertThat(spans.of("sharded.id.statement"))
                .anySatisfy(span -> assertThat(span.getError()).hasMessageContaining("division by zero"));
    }

    private double timed(String observation, String... tags) {
        return context.getBean(MeterRegistry.class).find(observation).tags(tags).timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    @Test
    void statementsAreCountedByDatabase() {
        double read = timed("sharded.id.statement", "database", "pg2", "kind", "read");
        double written = timed("sharded.id.statement", "database", "pg2", "kind", "write");
        for (int i = 0; i < 10; i++) {
            long id =
                    ShardContext.call(6, () -> users.save(new User("counted"))).id();
            assertThat(users.findById(id)).isPresent();
        }

        assertThat(timed("sharded.id.statement", "database", "pg2", "kind", "read") - read)
                .isEqualTo(10);
        // Ten inserts, and the blocks of their ids.
        assertThat(timed("sharded.id.statement", "database", "pg2", "kind", "write") - written)
                .isBetween(11.0, 20.0);
    }
}
