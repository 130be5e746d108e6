package io.github.shardedid.routing;

/** The groups of {@link ScatterGroupsIntegrationTests}, of values that the driver receives in binary. */
class ScatterBinaryGroupsIntegrationTests extends ScatterGroupsIntegrationTests {
    @Override
    String driver() {
        return ManyShards.BINARY;
    }
}
