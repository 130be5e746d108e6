package io.github.shardedid.routing.internal.sql.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CataloguesIntegrationTests {
    private final AtomicLong clock = new AtomicLong();
    private final Catalogues catalogues = new Catalogues(clock::get);
    private final Catalogue.Names names = new Catalogue.Names(Set.of(Catalogue.OPERATORS), Set.of());

    private Catalogue.Kind kind(Connection connection) throws SQLException {
        if (!catalogues.knows("pg1", names)) {
            catalogues.lookUp(connection, "pg1", names);
        }
        return catalogues.of(Set.of("pg1"), names).of(Catalogue.OPERATORS);
    }

    /** No statement fails if an operator is another one, so it is looked up again now and then. */
    @Test
    void operatorsAreBelievedForAWhile() throws SQLException {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        try (Connection connection = database.connect()) {
            assertThat(kind(connection)).isEqualTo(Catalogue.Kind.PLAIN);
            Catalogue before = catalogues.of(Set.of("pg1"), names);
            database.execute("CREATE FUNCTION newest(bigint, int) RETURNS boolean STABLE LANGUAGE sql AS 'SELECT true';"
                    + " CREATE OPERATOR @@@ (LEFTARG = bigint, RIGHTARG = int, FUNCTION = newest)");
            clock.addAndGet(Duration.ofSeconds(29).toNanos());
            assertThat(kind(connection)).isEqualTo(Catalogue.Kind.PLAIN);
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            assertThat(kind(connection)).isEqualTo(Catalogue.Kind.UNKNOWN);
            assertThat(catalogues.of(Set.of("pg1"), names)).isNotEqualTo(before);
        } finally {
            database.drop();
        }
    }
}
