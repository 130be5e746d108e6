package io.github.shardedid.benchmarks.waiting;

import com.sun.management.OperatingSystemMXBean;
import io.github.shardedid.benchmarks.servers.DelayedWire;
import io.github.shardedid.benchmarks.servers.ServerTime;
import java.lang.management.ManagementFactory;

/** The processor time of this process without its wires, and of the servers, since whenever. */
record Processors(ServerTime servers) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    long clientNanos() {
        return SYSTEM.getProcessCpuTime() - DelayedWire.processorNanos();
    }

    long serverNanos() {
        return servers.nanos();
    }

    boolean serversAreKnown() {
        return servers.isKnown();
    }
}
