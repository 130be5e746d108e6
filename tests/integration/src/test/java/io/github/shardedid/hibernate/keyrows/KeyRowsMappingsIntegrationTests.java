package io.github.shardedid.hibernate.keyrows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.ReferringRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.hibernate.KeyRows.RowsRefusedException;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.keyrows.Market.Buyer;
import io.github.shardedid.hibernate.keyrows.Market.Item;
import io.github.shardedid.hibernate.keyrows.Market.Line;
import io.github.shardedid.hibernate.keyrows.Market.LineId;
import io.github.shardedid.hibernate.keyrows.Market.Seller;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.ShardKeys;
import io.github.shardedid.topology.ShardSchema;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kinds of mappings. Hibernate stores the rows of one seller, and then those of another one in the same shard: what the tables had between is what
 * they must have after the second seller is erased.
 */
@Tag("quick")
class KeyRowsMappingsIntegrationTests {
    private static final int SHARDS = 4;
    private static final String REGION = "north";
    private static final int SHARD = ShardKeys.shardOf(REGION, SHARDS);
    private static final String SCHEMA = ShardSchema.nameOf(SHARD);

    private static final String FOREIGN_KEYS =
            """
            ALTER TABLE seller_phones ADD FOREIGN KEY (seller_id) REFERENCES seller;
            ALTER TABLE category ADD FOREIGN KEY (seller_id) REFERENCES seller, ADD FOREIGN KEY (parent_id) REFERENCES category;
            ALTER TABLE item ADD FOREIGN KEY (seller_id) REFERENCES seller;
            ALTER TABLE person ADD FOREIGN KEY (seller_id) REFERENCES seller;
            ALTER TABLE buyer ADD FOREIGN KEY (id) REFERENCES person;
            ALTER TABLE worker ADD FOREIGN KEY (id) REFERENCES person, ADD FOREIGN KEY (boss_id) REFERENCES worker;
            ALTER TABLE buyer_favourites ADD FOREIGN KEY (buyer_id) REFERENCES buyer, ADD FOREIGN KEY (favourites_id) REFERENCES item;
            ALTER TABLE buyer_ratings ADD FOREIGN KEY (buyer_id) REFERENCES buyer, ADD FOREIGN KEY (item_id) REFERENCES item;
            ALTER TABLE passport ADD FOREIGN KEY (person_id) REFERENCES person;
            ALTER TABLE line ADD FOREIGN KEY (item_id) REFERENCES item;
            ALTER TABLE line_notes ADD FOREIGN KEY (item_id, number) REFERENCES line;
            ALTER TABLE deal ADD FOREIGN KEY (buyer_id) REFERENCES buyer, ADD FOREIGN KEY (item_id) REFERENCES item;
            ALTER TABLE seller ADD FOREIGN KEY (logo_id) REFERENCES logo;
            ALTER TABLE buyer_seals ADD FOREIGN KEY (buyer_id) REFERENCES buyer, ADD FOREIGN KEY (seals_id) REFERENCES seal;
            ALTER TABLE stamp ADD FOREIGN KEY (seal_id) REFERENCES seal;
            ALTER TABLE refund ADD FOREIGN KEY (seller_id) REFERENCES seller,
              ADD FOREIGN KEY (line_item_id, line_number) REFERENCES line;
            """;

    private final TestCluster databases = new TestCluster(IdLayout.DEFAULT, SHARDS, 2, "classpath:db/keyrowskinds");
    private final SessionFactory sessions = sessions();
    private final KeyRows rows = KeyRows.of(sessions).orElseThrow();

    private SessionFactory sessions() {
        Configuration configuration = new Configuration().addAnnotatedClasses(Market.entities());
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.getProperties().put(ShardingSettings.COLOCATED_COLUMNS, databases.constraining());
        return configuration.buildSessionFactory();
    }

    @AfterEach
    void close() {
        sessions.close();
        assertThat(databases.activeConnections()).isZero();
        databases.close();
    }

    private long store() {
        return ShardContext.call(SHARD, () -> sessions.fromTransaction(session -> Market.store(session, REGION)));
    }

    private void sql(String statements) {
        databases.home(SHARD).execute("SET search_path = " + SCHEMA + ", public; " + statements);
    }

    private Map<String, List<String>> everything() {
        Map<String, List<String>> all = new TreeMap<>();
        for (String table : databases
                .home(SHARD)
                .query("SELECT tablename FROM pg_tables WHERE schemaname = '" + SCHEMA
                        + "' AND tablename !~ '^(flyway|sharded_id)'")) {
            all.put(
                    table,
                    databases.home(SHARD).query("SELECT t::text FROM " + SCHEMA + "." + table + " t ORDER BY 1"));
        }
        return all;
    }

    private static long size(Map<String, List<String>> tables) {
        return tables.values().stream().mapToLong(List::size).sum();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rowsOfEachKindAreExactlyThoseThatWereStored(boolean foreignKeys) throws IOException {
        sql(foreignKeys ? FOREIGN_KEYS : "SELECT 1");
        store();
        Map<String, List<String>> before = everything();
        long seller = store();
        Map<String, List<String>> stored = everything();
        assertThat(stored.values()).allMatch(table -> table.size() > 1);
        String notice = last("notice");
        String town = last("town");

        StringBuilder lines = new StringBuilder();
        assertThat(rows.export(Seller.class, seller, lines).rows()).isEqualTo(size(stored) - size(before) - 2);
        Report erased = rows.erase(Seller.class, seller);
        assertThat(erased.left()).isZero();
        assertThat(erased.referring())
                .containsExactlyInAnyOrder(
                        new ReferringRows("notice (region), the same shard key", 2, false),
                        new ReferringRows("seller (region), the same shard key", 1, false),
                        new ReferringRows("town (id), saved by cascade from seller", 1, false));
        sql("DELETE FROM notice WHERE id = " + notice + "; DELETE FROM town WHERE id = " + town);
        assertThat(everything()).isEqualTo(before);

        rows.restore(new StringReader(lines.toString()));
        // By table: rows of two tables may have one id.
        Map<String, String> gone = Map.of("notice", "(" + notice + "," + REGION + ")", "town", "(" + town + ")");
        stored.replaceAll((table, all) ->
                all.stream().filter(each -> !each.equals(gone.get(table))).toList());
        assertThat(everything()).isEqualTo(stored);
    }

    private String last(String table) {
        return databases
                .home(SHARD)
                .query("SELECT max(id) FROM " + SCHEMA + "." + table)
                .get(0);
    }

    /** The first seller's rows are refused as long as the last one's refer to them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UPDATE worker SET boss_id = (SELECT min(id) FROM worker) WHERE id = (SELECT max(id) FROM worker) | worker (boss_id)",
                "UPDATE category SET parent_id = (SELECT min(id) FROM category) WHERE id = (SELECT max(id) FROM category) | category (parent_id)",
                "INSERT INTO buyer_ratings SELECT max(buyer.id), min(item.id), 1 FROM buyer, item | buyer_ratings (item_id)",
                "INSERT INTO deal SELECT max(buyer.id), min(item.id) FROM buyer, item | deal (item_id)",
                "UPDATE refund SET line_item_id = (SELECT min(item_id) FROM line) | refund (line_item_id, line_number)",
                "UPDATE seller SET friend_ids = ARRAY[1, (SELECT min(id) FROM seller)] WHERE id = (SELECT max(id) FROM seller) | seller (friend_ids)",
                "CREATE TABLE log (about bigint[]); INSERT INTO log SELECT ARRAY[min(id)] FROM person | log (about)",
                "CREATE DOMAIN key AS bigint; CREATE DOMAIN who AS key; CREATE TABLE log (about who[]); INSERT INTO log SELECT ARRAY[min(id)] FROM person | log (about)",
                "UPDATE seller SET logo_id = (SELECT min(id) FROM logo) | seller (logo_id)",
            })
    void rowsOfAnotherKeyThatReferToOneOfTheseAreRefused(String change, String message) {
        long first = store();
        store();
        for (String foreignKeys : List.of("SELECT 1", FOREIGN_KEYS)) {
            sql(foreignKeys);
            if (foreignKeys.equals("SELECT 1")) {
                sql(change);
            }
            Map<String, List<String>> before = everything();
            assertThatThrownBy(() -> rows.erase(Seller.class, first))
                    .isInstanceOf(RowsRefusedException.class)
                    .hasMessageContainingAll("1 rows of " + message, "Nothing was deleted");
            assertThat(everything()).isEqualTo(before);
        }
    }

    /** A row of a join table says of both rows that they belong together: it goes with either of them. */
    @Test
    void theLinkOfAnotherKeyToOneOfTheseGoesWithIt() {
        store();
        Map<String, List<String>> before = everything();
        long seller = store();
        sql("INSERT INTO buyer_favourites SELECT min(buyer.id), max(item.id) FROM buyer, item");
        sql(FOREIGN_KEYS);
        rows.erase(Seller.class, seller);
        sql("DELETE FROM notice WHERE id = " + last("notice") + "; DELETE FROM town WHERE id = " + last("town"));
        assertThat(everything()).isEqualTo(before);
    }

    @Test
    void rootsOfWhichItIsNotKnownWhatLivesWithThemAreRefused() {
        store();
        Map<String, List<String>> before = everything();
        List<Long> items = databases.idsIn(SHARD, "item");
        Long worker = databases.idsIn(SHARD, "worker").get(0);
        assertThatThrownBy(() -> rows.erase(Buyer.class, worker))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll("Buyer " + worker, "another subclass", "Market$Person");
        assertThatThrownBy(() -> ShardContext.call(SHARD, () -> rows.erase(Line.class, new LineId(items.get(0), 1))))
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContaining("several columns");
        assertThatThrownBy(() -> rows.erase(Item.class, items.get(0)))
                .as("a deal lives with its buyer, a refund with its seller")
                .isInstanceOf(RowsRefusedException.class)
                .hasMessageContainingAll(
                        "deal (item_id)", "refund (line_item_id, line_number)", "buyer_ratings (item_id)");
        assertThat(everything()).isEqualTo(before);
        assertThat(rows.erase(Item.class, items.get(1)).rows())
                .as("the item that is marked as deleted")
                .isEqualTo(1);
    }
}
