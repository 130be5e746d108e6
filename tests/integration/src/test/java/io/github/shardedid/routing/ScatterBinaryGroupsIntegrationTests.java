package io.github.shardedid.routing;

import org.junit.jupiter.api.Tag;

/** The groups of {@link ScatterGroupsIntegrationTests}, of values that the driver receives in binary. */
@Tag("quick")
class ScatterBinaryGroupsIntegrationTests extends ScatterGroupsIntegrationTests {
    @Override
    String driver() {
        return ManyShards.BINARY;
    }
}
