package io.github.shardedid.benchmarks.scale;

import io.github.shardedid.benchmarks.jpa.PlainTable;
import io.github.shardedid.benchmarks.jpa.ScaledShards;
import io.github.shardedid.benchmarks.measure.Clients;
import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a call takes of the time of all clients together, which is the inverse of their throughput: with more databases, and
 * with more clients beside plain JPA on one database with as many connections in all.
 */
public final class ClientFigures {
    private static final int SHARDS = 64;
    private static final int ROWS = 6_400;
    private static final int CALLS = 3_200;
    private static final int CLIENTS = 16;
    private static final int CONNECTIONS = 16;
    private static final List<Integer> NUMBERS_OF_CLIENTS = List.of(1, 2, 4, 8, 16, 32, 64);
    private static final List<Integer> NUMBERS_OF_DATABASES = List.of(1, 2, 4);
    private static final List<Integer> MORE_DATABASES = NUMBERS_OF_DATABASES.subList(1, NUMBERS_OF_DATABASES.size());
    /** Throughput is the inverse of the cost: at least 0.95 of plain JPA's is at most 1.05 of its cost. */
    private static final double GOAL = 1.05;

    private final Extent extent;
    private final Section section;

    private ClientFigures(Extent extent, Section section) {
        this.extent = extent;
        this.section = section;
    }

    /** Measures more databases. */
    public static void measureDatabases(Extent extent, Section section) throws Exception {
        new ClientFigures(extent, section).databases();
    }

    /** Measures more clients. */
    public static void measureClients(Extent extent, Section section) throws Exception {
        new ClientFigures(extent, section).clients();
    }

    private ScaledShards on(int databases, int connections) throws Exception {
        Database[] each = new Database[databases];
        for (int i = 0; i < databases; i++) {
            each[i] = Database.create(i + 1);
        }
        ScaledShards shards = new ScaledShards(SHARDS, extent.of(ROWS), each);
        shards.resizePools(connections / databases);
        return shards;
    }

    private void databases() throws Exception {
        List<ScaledShards> all = new ArrayList<>();
        try (Clients clients = new Clients(CLIENTS)) {
            Map<String, Rounds.Measurement> finds = new LinkedHashMap<>();
            Map<String, Rounds.Measurement> saves = new LinkedHashMap<>();
            for (int databases : NUMBERS_OF_DATABASES) {
                ScaledShards shards = on(databases, databases * CONNECTIONS);
                all.add(shards);
                finds.put("" + databases, () -> clients.micros(extent.of(CALLS), shards::findAny));
                saves.put("" + databases, () -> clients.micros(extent.of(CALLS), () -> saveAny(shards)));
            }
            noteDatabases("find by id", warm(finds));
            noteDatabases("save of an entity, id of the JVM", warm(saves));
        } finally {
            all.forEach(ScaledShards::close);
        }
    }

    private static void saveAny(ScaledShards shards) {
        shards.saveByJvm(ThreadLocalRandom.current().nextInt(SHARDS));
    }

    private void noteDatabases(String what, Rounds rounds) {
        for (int databases : MORE_DATABASES) {
            section.ratio(
                    String.format(
                            Locale.ROOT,
                            "%s, %d clients, %d databases ÷ 1 database (ideal %.2f)",
                            what,
                            CLIENTS,
                            databases,
                            1.0 / databases),
                    null,
                    rounds,
                    "" + databases,
                    "1",
                    "µs");
        }
        section.raw(what + " by " + CLIENTS + " clients, µs, by the number of databases", rounds);
    }

    private void clients() throws Exception {
        try (ScaledShards shards = on(2, CONNECTIONS);
                PlainTable table = new PlainTable(extent.of(ROWS), CONNECTIONS, Database.create(1))) {
            for (int number : extent.quick() ? List.of(2) : NUMBERS_OF_CLIENTS) {
                try (Clients clients = new Clients(number)) {
                    String who = number + (number == 1 ? " client" : " clients");
                    beside(clients, who + ": find by id", shards::findAny, table::findAny);
                    beside(clients, who + ": save of an entity", () -> saveAny(shards), table::save);
                }
            }
        }
    }

    private void beside(Clients clients, String what, Runnable ours, Runnable theirs) throws Exception {
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ways.put("ours", () -> clients.micros(extent.of(CALLS), ours));
        ways.put("theirs", () -> clients.micros(extent.of(CALLS), theirs));
        Rounds rounds = warm(ways);
        section.ratio(what + " ÷ plain JPA", GOAL, rounds, "ours", "theirs", "µs");
        section.raw(what + ", µs", rounds);
    }

    private Rounds warm(Map<String, Rounds.Measurement> ways) throws Exception {
        Rounds.run(extent.rounds(3), ways);
        return Rounds.run(extent.rounds(15), ways);
    }
}
