package io.github.shardedid.boot.rehearsal;

import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The actuator endpoint {@code shardrehearsal}. Safe for use by several threads. */
@Endpoint(id = "shardrehearsal")
public final class RehearsalEndpoint {
    private final ShardRehearsal rehearsal;

    RehearsalEndpoint(ShardRehearsal rehearsal) {
        this.rehearsal = rehearsal;
    }

    /**
     * Returns the report so far.
     *
     * @return what shards would change
     */
    @ReadOperation
    public RehearsalReport report() {
        return rehearsal.report();
    }
}
