package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.RoutingListener;
import io.github.shardedid.routing.ScatterOptions;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardingKeyType;
import io.github.shardedid.routing.Target;
import java.io.FileInputStream;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Log lines name the shard and the database for which a thread works. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LoggedShardsIntegrationTests {
    /** A second application in this process, so that scopes name the shard alone; statements name both. */
    private final RunningApp app = RunningApp.shared();

    private final ConfigurableApplicationContext context = app.start(Logging.class);
    private final Executed executed = context.getBean(Executed.class);
    private final Logger sql = (Logger) LoggerFactory.getLogger("org.hibernate.SQL");
    private final Logger own = (Logger) LoggerFactory.getLogger("application");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @Import(PhotoSharing.class)
    static class Logging {
        @Bean
        Executed executed() {
            return new Executed();
        }

        @Bean
        ScatterOptions scatter(Executed executed) {
            ScatterOptions given = ScatterOptions.DEFAULT;
            return new ScatterOptions(
                    given.shardsPerStatement(),
                    given.concurrentQueries(),
                    given.longestWait(),
                    given.maxRows(),
                    work -> executed.threads.execute(() -> {
                        work.run();
                        executed.afterwards.add(mdc());
                    }));
        }
    }

    /** What the MDC has while statements are executed, and on the threads of queries over several shards after they ran. */
    static final class Executed implements RoutingListener, AutoCloseable {
        private final Queue<Map<String, @Nullable String>> meanwhile = new ConcurrentLinkedQueue<>();
        private final Queue<Map<String, @Nullable String>> afterwards = new ConcurrentLinkedQueue<>();
        private final ExecutorService threads = Executors.newCachedThreadPool();

        @Override
        public Watch statement(Kind kind, Target.Single target, String database) {
            meanwhile.add(mdc());
            return Watch.NONE;
        }

        @Override
        public Watch statement(List<Integer> shards, String database) {
            meanwhile.add(mdc());
            return Watch.NONE;
        }

        @Override
        public void close() {
            threads.shutdown();
        }
    }

    private static Map<String, @Nullable String> mdc() {
        Map<String, @Nullable String> copy = MDC.getCopyOfContextMap();
        return copy == null ? Map.of() : copy;
    }

    @BeforeEach
    void listen() {
        executed.meanwhile.clear();
        executed.afterwards.clear();
        lines.list.clear();
        lines.start();
        if (!sql.isAttached(lines)) {
            sql.addAppender(lines);
            own.addAppender(lines);
        }
        sql.setLevel(Level.DEBUG);
        own.setLevel(Level.INFO);
    }

    @AfterAll
    void close() {
        sql.detachAppender(lines);
        own.detachAppender(lines);
        sql.setLevel(null);
        own.setLevel(null);
        context.close();
    }

    @Test
    void theLinesOfAFindByIdNameItsShard() {
        User user = app.userIn(5);
        lines.list.clear();
        assertThat(context.getBean(UserRepository.class).findById(user.id())).isPresent();
        own.info("afterwards");

        assertThat(lines.list).hasSize(2);
        assertThat(lines.list.get(0).getMDCPropertyMap()).containsEntry("shardedId.shard", "5");
        assertThat(lines.list.get(1).getMDCPropertyMap()).isEmpty();
        assertThat(executed.meanwhile).containsExactly(Map.of("shardedId.shard", "5", "shardedId.database", "pg2"));
    }

    @Test
    void theInnermostScopeIsNamedAndTheOuterOneIsThereAgain() {
        ShardContext.run(5, () -> {
            ShardContext.run(2, () -> own.info("inner"));
            own.info("outer");
        });
        assertThat(lines.list)
                .extracting(line -> line.getMDCPropertyMap().get("shardedId.shard"))
                .containsExactly("2", "5");
        assertThat(mdc()).isEmpty();
    }

    @Test
    void whatTheScopeHasSaidIsThereAgainAfterAStatement() {
        User user = app.userIn(5);
        ShardContext.run(5, () -> {
            Map<String, @Nullable String> before = mdc();
            assertThat(context.getBean(UserRepository.class).findById(user.id()))
                    .isPresent();
            assertThat(mdc()).isEqualTo(before).containsEntry("shardedId.shard", "5");
        });
        assertThat(executed.meanwhile).containsExactly(Map.of("shardedId.shard", "5", "shardedId.database", "pg2"));
    }

    @Test
    void queriesOverSeveralShardsNameThemOnTheirThreadsAndLeaveNothingThere() {
        context.getBean(PhotosEverywhere.class).countByCaption("nobody's");

        assertThat(executed.meanwhile)
                .containsExactlyInAnyOrder(
                        Map.of("shardedId.shard", "0-3", "shardedId.database", "pg1"),
                        Map.of("shardedId.shard", "4-7", "shardedId.database", "pg2"));
        assertThat(executed.afterwards).allSatisfy(left -> assertThat(left).isEmpty());
        assertThat(mdc()).isEmpty();
    }

    @Test
    void statementsOfAConnectionWithAShardingKeyNameItsShardWithoutAnyScope() throws Exception {
        RoutingDataSource source = context.getBean(RoutingDataSource.class);
        try (Connection keyed = source.createConnectionBuilder()
                        .shardingKey(source.createShardingKeyBuilder()
                                .subkey(3, ShardingKeyType.SHARD)
                                .build())
                        .build();
                Statement statement = keyed.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1")) {
            assertThat(rows.next()).isTrue();
        }
        assertThat(executed.meanwhile).containsExactly(Map.of("shardedId.shard", "3", "shardedId.database", "pg1"));
        assertThat(mdc()).isEmpty();
    }

    @Test
    void theDocumentedPatternShowsThem() throws Exception {
        Properties documented = new Properties();
        try (InputStream file = new FileInputStream("src/test/resources/documented/mdc.properties")) {
            documented.load(file);
        }
        PatternLayout layout = new PatternLayout();
        layout.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        layout.setPattern(documented.getProperty("logging.pattern.correlation"));
        layout.start();
        try (MDC.MDCCloseable shard = MDC.putCloseable("shardedId.shard", "5");
                MDC.MDCCloseable database = MDC.putCloseable("shardedId.database", "pg2")) {
            own.info("within");
        }
        own.info("without");

        assertThat(lines.list).extracting(layout::doLayout).containsExactly("[pg2:5]", "[:]");
    }
}
