package io.github.shardedid.benchmarks.waiting;

import io.github.shardedid.benchmarks.measure.Clients;
import io.github.shardedid.benchmarks.measure.Latencies;
import java.util.Locale;

/** A call, how long it took each time, and the processor time that it took of the client and of the servers. */
final class Side {
    private final Runnable call;
    private final Processors processors;
    private Latencies latencies = new Latencies();
    private long clientNanos;
    private long serverNanos;

    Side(Runnable call, Processors processors) {
        this.call = call;
        this.processors = processors;
    }

    /** Forgets what was measured before. */
    void begin() {
        latencies = new Latencies();
        clientNanos = 0;
        serverNanos = 0;
    }

    /** The microseconds of so many calls, for each. */
    double micros(Clients clients, int calls) throws Exception {
        long client = processors.clientNanos();
        long server = processors.serverNanos();
        double micros = clients.micros(calls, this::timed);
        clientNanos += processors.clientNanos() - client;
        serverNanos += processors.serverNanos() - server;
        return micros;
    }

    private void timed() {
        long start = System.nanoTime();
        call.run();
        latencies.add(System.nanoTime() - start);
    }

    /** The median and the 99th percentile, in milliseconds. */
    String waits() {
        return String.format(Locale.ROOT, "%.2f / %.1f", latencies.millis(0.5), latencies.millis(0.99));
    }

    /** Of the client for a call, in microseconds. */
    String ofClient() {
        return micros(clientNanos);
    }

    /** Of the servers for a call, in microseconds. */
    String ofServers() {
        return processors.serversAreKnown() ? micros(serverNanos) : "–";
    }

    private String micros(long nanos) {
        return String.format(Locale.ROOT, "%,.0f", nanos / 1e3 / latencies.count());
    }
}
