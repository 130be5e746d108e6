package io.github.shardedid.benchmarks;

import io.github.shardedid.benchmarks.index.IndexFigures;
import io.github.shardedid.benchmarks.jpa.FindFigures;
import io.github.shardedid.benchmarks.jpa.RowsFigures;
import io.github.shardedid.benchmarks.jpa.SaveFigures;
import io.github.shardedid.benchmarks.jpa.ThreadFigures;
import io.github.shardedid.benchmarks.jvmid.JvmIdFigures;
import io.github.shardedid.benchmarks.measure.Clients;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Part;
import io.github.shardedid.benchmarks.measure.Report;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.move.GrowFigures;
import io.github.shardedid.benchmarks.move.MoveFigures;
import io.github.shardedid.benchmarks.nextid.InsertFigures;
import io.github.shardedid.benchmarks.nextid.NextIdFigures;
import io.github.shardedid.benchmarks.nextid.TicketFigures;
import io.github.shardedid.benchmarks.peers.PeerFigures;
import io.github.shardedid.benchmarks.query.QueryFigures;
import io.github.shardedid.benchmarks.scale.ClientFigures;
import io.github.shardedid.benchmarks.scale.OutageFigures;
import io.github.shardedid.benchmarks.scale.ShardFigures;
import io.github.shardedid.benchmarks.start.BackendMemory;
import io.github.shardedid.benchmarks.start.CapacityFigures;
import io.github.shardedid.benchmarks.start.StartFigures;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures everything, or the parts that the system property {@value #ONLY} names, separated by commas, and writes the
 * tables and the raw output of each as soon as it has been measured.
 */
public final class Figures {
    static final String ONLY = "sharded-id.benchmarks.only";

    /** In the order in which they are measured. */
    static final List<Part> PARTS = Stream.of(
                    new Part("wait", WaitFigures::measure),
                    new Part("unique", WaitFigures::measureUnique),
                    new Part("reference", WaitFigures::measureReference),
                    new Part("rows", RowsFigures::measure),
                    new Part("save", SaveFigures::measure),
                    new Part("find", FindFigures::measure),
                    new Part("threads", ThreadFigures::measure),
                    new Part("virtual-threads", ThreadFigures::measureVirtual),
                    new Part("peers", PeerFigures::measure),
                    new Part("queries", QueryFigures::measureFew),
                    new Part("queries-many", QueryFigures::measureMany),
                    new Part("scale", ShardFigures::measure),
                    new Part("databases", ClientFigures::measureDatabases),
                    new Part("clients", ClientFigures::measureClients),
                    new Part("outage", OutageFigures::measure),
                    new Part("index", IndexFigures::measure),
                    new Part("next_id", NextIdFigures::measure),
                    new Part("insert", InsertFigures::measure),
                    new Part("tickets", TicketFigures::measure),
                    new Part("dump", MoveFigures::measureBesideDump),
                    new Part("move", MoveFigures::measureUnderLoad),
                    new Part("grow", GrowFigures::measure),
                    new Part("start", StartFigures::measure),
                    new Part("memory", BackendMemory::measure),
                    new Part("capacity", CapacityFigures::measure),
                    new Part("jvm", JvmIdFigures::measure))
            .filter(part -> !part.name().startsWith("virtual") || Clients.HAVE_VIRTUAL_THREADS)
            .toList();

    private Figures() {}

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(
                Path.of(System.getProperty("sharded-id.benchmarks.page", "docs/benchmarks.md")),
                Path.of(System.getProperty("sharded-id.benchmarks.raw", "target/figures")));
        List<Part> wanted = wanted(System.getProperty(ONLY, ""));
        for (Part part : wanted) {
            report.check(part);
        }
        report.summarize();
        for (Part part : wanted) {
            Section section = part.measure(Extent.FULL);
            report.write(section, Environment.describe(section.isDurable()));
            report.summarize();
        }
        System.exit(0);
    }

    /** The parts of the names; all if none is named. */
    static List<Part> wanted(String names) {
        if (names.isBlank()) {
            return PARTS;
        }
        return Arrays.stream(names.split(",", -1)).map(Figures::part).collect(Collectors.toList());
    }

    private static Part part(String name) {
        return PARTS.stream()
                .filter(part -> part.name().equals(name.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There are no figures '" + name + "'. There are "
                        + PARTS.stream().map(Part::name).collect(Collectors.joining(", "))));
    }
}
