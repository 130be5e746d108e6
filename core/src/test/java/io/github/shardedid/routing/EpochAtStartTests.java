package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;

/** Whatever uses a cluster goes through a routing data source, so this is where a layout without time is refused. */
class EpochAtStartTests {
    private static final Map<String, DataSource> DATABASES =
            Map.of("pg1", new PGSimpleDataSource(), "pg2", new PGSimpleDataSource());

    private static RoutingDataSource start(IdLayout layout, InstantSource clock) {
        return new RoutingDataSource(
                new Cluster(layout, CurrentShardMap.fixed(TwoDatabases.map())),
                DATABASES,
                RoutingOptions.DEFAULT,
                clock);
    }

    private static List<String> warnings(Runnable work) {
        Logger logger = (Logger) LoggerFactory.getLogger(RoutingDataSource.class);
        ListAppender<ILoggingEvent> appender = new ListAppender<>();
        appender.start();
        logger.addAppender(appender);
        try {
            work.run();
        } finally {
            logger.detachAppender(appender);
        }
        return appender.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void aLayoutWhoseTimeIsOverOrHasNotBegunIsRefusedByTheRealClock() {
        Cluster over = new Cluster(
                IdLayout.DEFAULT.withEpoch(Instant.parse("1980-01-01T00:00:00Z")),
                CurrentShardMap.fixed(TwoDatabases.map()));
        assertThatExceptionOfType(ClusterConfigurationException.class)
                .isThrownBy(() -> new RoutingDataSource(over, DATABASES))
                .withMessageContaining("2014-11-03")
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.EXHAUSTED_EPOCH);
        Cluster future = new Cluster(
                IdLayout.DEFAULT.withEpoch(Instant.parse("2999-01-01T00:00:00Z")),
                CurrentShardMap.fixed(TwoDatabases.map()));
        assertThatExceptionOfType(ClusterConfigurationException.class)
                .isThrownBy(() -> new RoutingDataSource(future, DATABASES))
                .hasFieldOrPropertyWithValue("reason", ClusterConfigurationException.Reason.FUTURE_EPOCH);
    }

    @Test
    void aToolMayReadWhatIsLeftByAnotherClock() {
        IdLayout over = IdLayout.DEFAULT.withEpoch(Instant.parse("1980-01-01T00:00:00Z"));

        assertThat(start(over, over::epoch).cluster().layout()).isEqualTo(over);
    }

    @Test
    void aTimeThatRunsOutIsLoggedOnceWithItsEnd() {
        InstantSource late = () -> IdLayout.DEFAULT.lastInstant().minus(Duration.ofDays(800));

        assertThat(warnings(() -> start(IdLayout.DEFAULT, late)))
                .singleElement()
                .asString()
                .contains("2046-06-27", "2.2 years");
    }

    @Test
    void aTimeThatLastsIsNotSpokenOf() {
        assertThat(warnings(() -> start(IdLayout.DEFAULT, IdLayout.DEFAULT::epoch)))
                .isEmpty();
    }
}
