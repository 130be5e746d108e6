package io.github.shardedid.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests on two databases of their own that are run with deferred begin and without, and must leave no connection taken. */
@ParameterizedClass
@MethodSource("bothWays")
abstract class RoutedBothWays {
    static final String SELECT = "SELECT caption FROM sharded_id_shard.photo WHERE id = 1";

    @Parameter
    RoutingOptions options = RoutingOptions.DEFAULT;

    TwoDatabases databases;

    static List<RoutingOptions> bothWays() {
        return List.of(RoutingOptions.DEFAULT, RoutingOptions.DEFAULT.withDeferredBegin(false));
    }

    @BeforeEach
    void start() {
        databases = new TwoDatabases(options);
    }

    @AfterEach
    void nothingLeaks() {
        assertThat(databases.taken()).isZero();
        databases.close();
    }
}
