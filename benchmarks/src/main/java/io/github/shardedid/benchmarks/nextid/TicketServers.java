package io.github.shardedid.benchmarks.nextid;

import io.github.shardedid.benchmarks.servers.Database;
import java.sql.SQLException;

/**
 * Ticket servers as Flickr published them: one gives the odd numbers, one the even ones, and a client asks them in turn. A table
 * of one row holds the last ticket, and {@code REPLACE INTO} is an upsert here; each ticket is a round trip and a commit.
 */
final class TicketServers {
    private static final String NEXT = "INSERT INTO tickets64 (stub) VALUES ('a')"
            + " ON CONFLICT (stub) DO UPDATE SET id = tickets64.id + 2 RETURNING id";

    private final Database odd;
    private final Database even;

    TicketServers(Database odd, Database even) throws SQLException {
        this.odd = odd;
        this.even = even;
        create(odd, 1);
        create(even, 2);
    }

    private static void create(Database database, int first) throws SQLException {
        database.execute("CREATE TABLE tickets64 (stub char(1) PRIMARY KEY, id bigint NOT NULL DEFAULT " + first
                + ") WITH (fillfactor = 10)");
    }

    /** A client that is connected to both; the number says which it asks first. */
    IdClients.Client client(int number) throws SQLException {
        SqlClient one = new SqlClient(odd, NEXT);
        SqlClient other = new SqlClient(even, NEXT);
        return new IdClients.Client() {
            private int calls = number;

            @Override
            public long call() throws SQLException {
                boolean asksOdd = calls++ % 2 == 0;
                long ticket = (asksOdd ? one : other).call();
                if (ticket % 2 == 1 != asksOdd) {
                    throw new IllegalStateException("The ticket " + ticket + " is the other server's");
                }
                return ticket;
            }

            @Override
            public void close() throws SQLException {
                one.close();
                other.close();
            }
        };
    }
}
