package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.measure.Extent;
import io.github.shardedid.benchmarks.measure.Rounds;
import io.github.shardedid.benchmarks.measure.Section;
import io.github.shardedid.benchmarks.servers.Database;
import io.github.shardedid.benchmarks.servers.RedisServer;
import io.github.shardedid.benchmarks.servers.ShardedDatabases;
import io.github.shardedid.generator.DatabaseIdSource;
import io.github.shardedid.generator.IdSource;
import io.github.shardedid.id.IdLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import redis.clients.jedis.Jedis;

/** An id as a client gets it from a central counter, against ours: asked for one by one, and in blocks as the library does. */
public final class TicketFigures {
    private static final int[] CLIENTS = {1, 8, 32};
    private static final int MILLIS = 700;
    private static final String STATEMENT = "`SELECT next_id`, one per id";
    private static final String BLOCKS = "blocks, as the library fetches them";
    private static final String TICKETS = "a pair of ticket servers";

    private final Extent extent;
    private final Section section;
    private final Map<String, IdClients.Opening> ours = new LinkedHashMap<>();
    private final Map<String, IdClients.Opening> theirs = new LinkedHashMap<>();

    private TicketFigures(Extent extent, Section section) {
        this.extent = extent;
        this.section = section;
    }

    /** Measures tickets. */
    public static void measure(Extent extent, Section section) throws Exception {
        Database database = Database.create(1);
        try (ShardedDatabases sharded = ShardedDatabases.withTables(IdLayout.DEFAULT, 8, database)) {
            sharded.resizePools(CLIENTS[CLIENTS.length - 1]);
            TicketFigures figures = new TicketFigures(extent, section);
            figures.addPostgres(database, sharded);
            try (Redis memory = figures.addRedis("Redis `INCR`, nothing on the disk", RedisServer.inMemory());
                    Redis logged = figures.addRedis("Redis `INCR`, logged, `everysec`", RedisServer.logged())) {
                for (int clients : CLIENTS) {
                    figures.compare(clients);
                }
            }
        }
    }

    private void addPostgres(Database database, ShardedDatabases sharded) throws Exception {
        SqlWay.createSequenceOfOurs(database, "asked");
        IdSource source = new DatabaseIdSource(IdLayout.DEFAULT);
        TicketServers tickets = new TicketServers(Database.create(1), Database.create(2));
        ours.put(STATEMENT, number -> new SqlClient(database, "SELECT " + SqlWay.OURS.call("asked")));
        ours.put(BLOCKS, number -> new BlockClient(source, sharded));
        theirs.put(TICKETS, tickets::client);
    }

    /** Says so where this machine has none. */
    private Redis addRedis(String name, Optional<RedisServer> server) {
        if (server.isPresent()) {
            section.peer(server.get().nameAndVersion());
            section.peer(Jedis.class);
            theirs.put(name, number -> new RedisClient(server.get().connect()));
        } else {
            section.other(name, "–", "no redis-server on this machine");
        }
        return () -> server.ifPresent(RedisServer::close);
    }

    private void compare(int clients) throws Exception {
        IdClients measured = new IdClients(clients, extent.of(MILLIS));
        Map<String, Rounds.Measurement> ways = new LinkedHashMap<>();
        ours.forEach((name, opening) -> ways.put(name, () -> measured.micros(true, opening)));
        theirs.forEach((name, opening) -> ways.put(name, () -> measured.micros(true, opening)));
        Rounds rounds = Rounds.run(extent.rounds(), ways);
        String what = clients + (clients == 1 ? " client: " : " clients: ");
        for (String way : ours.keySet()) {
            for (String other : theirs.keySet()) {
                section.ratio(what + way + ", ÷ " + other, 1.0, rounds, way, other, "µs");
            }
        }
        section.raw(what + "µs per id", rounds);
    }

    private interface Redis extends AutoCloseable {
        @Override
        void close();
    }

    private record RedisClient(Jedis jedis) implements IdClients.Client {
        @Override
        public long call() {
            return jedis.incr("tickets");
        }

        @Override
        public void close() {
            jedis.close();
        }
    }
}
