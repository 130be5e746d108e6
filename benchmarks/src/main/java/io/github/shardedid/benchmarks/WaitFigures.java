package io.github.shardedid.benchmarks;

import io.github.shardedid.benchmarks.jpa.ReferenceFigures;
import io.github.shardedid.benchmarks.jpa.UniqueFigures;
import io.github.shardedid.benchmarks.jpa.WaitedCalls;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.peers.PeerFigures;
import io.github.shardedid.benchmarks.query.QueryFigures;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.DelayedWire;
import io.github.shardedid.benchmarks.servers.DurableServers;
import io.github.shardedid.benchmarks.servers.ServerTime;
import io.github.shardedid.benchmarks.waiting.Waits;
import java.util.List;

/** What a user waits for: over a wire whose round trip takes half a millisecond, to servers that write what they commit to disk. */
final class WaitFigures {
    private WaitFigures() {}

    /** Measures reads, writes, and queries over several shards. */
    static void measure(Extent extent, Section section) throws Exception {
        Database first = Database.create(1);
        Database second = Database.create(2);
        section.durable();
        try (DurableServers durable = DurableServers.of(first, second)) {
            Waits waits = new Waits(extent, section, ServerTime.of(first, second));
            overWires(waits, PeerFigures::measure);
            overWires(waits, WaitedCalls::measure);
            overWires(waits, QueryFigures::measure);
            waits.draw("benchmarks.svg");
        }
    }

    /** Measures values that are unique over all shards. */
    static void measureUnique(Extent extent, Section section) throws Exception {
        Database first = Database.create(1);
        Database second = Database.create(2);
        section.durable();
        try (DurableServers durable = DurableServers.of(first, second)) {
            Waits waits = new Waits(extent, section, ServerTime.of(first, second));
            overWires(waits, (table, one, other, single) -> UniqueFigures.measure(table, one, other));
        }
    }

    /** Measures reference tables. */
    static void measureReference(Extent extent, Section section) throws Exception {
        Database first = Database.create(1);
        Database second = Database.create(2);
        section.durable();
        try (DurableServers durable = DurableServers.of(first, second);
                DelayedWire toFirst = DelayedWire.to(first);
                DelayedWire toSecond = DelayedWire.to(second)) {
            ReferenceFigures.measure(
                    new Waits(extent, section, ServerTime.of(first, second)),
                    List.of(toFirst.database(), toSecond.database()),
                    List.of(first.reach(1), second.reach(2)));
        }
    }

    /** Compares what is on the first two databases with what is on the third. */
    @FunctionalInterface
    private interface Comparisons {
        void measure(Waits waits, Database first, Database second, Database single) throws Exception;
    }

    private static void overWires(Waits waits, Comparisons comparisons) throws Exception {
        try (DelayedWire first = DelayedWire.to(Database.create(1));
                DelayedWire second = DelayedWire.to(Database.create(2));
                DelayedWire single = DelayedWire.to(Database.create(1))) {
            comparisons.measure(waits, first.database(), second.database(), single.database());
        }
    }
}
