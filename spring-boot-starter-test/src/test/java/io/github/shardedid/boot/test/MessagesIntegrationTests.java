package io.github.shardedid.boot.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.routing.ShardContext;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** What an assertion says when it does not hold: entity, id, shard and database, and where the row is instead. */
@OnTestCluster
@Tag("quick")
class MessagesIntegrationTests {
    @Autowired
    private ShardedCluster cluster;

    @Autowired
    private Customers customers;

    @Autowired
    private Purchases purchases;

    @Autowired
    private Vouchers vouchers;

    private Customer ada = new Customer("Ada");
    private Customer bob = new Customer("Bob");

    @BeforeEach
    void save() {
        ada = ShardContext.call(6, () -> customers.save(new Customer("Ada")));
        bob = ShardContext.call(1, () -> customers.save(new Customer("Bob")));
    }

    private static void says(String message, ThrowingCallable assertion) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessage(message);
    }

    private String adaIs(String expected, String found) {
        return "Customer " + ada.id() + " (" + adasId() + ") is expected to be stored " + expected + ", but was found "
                + found + ".";
    }

    private String adasId() {
        return "id " + ada.id() + ", which names shard 6 on database pg2";
    }

    /** As a database may be that had no constraints yet. */
    private void copyTo(int shard) {
        cluster.shard(shard)
                .sql("ALTER TABLE customer DROP CONSTRAINT IF EXISTS sharded_id_check")
                .update();
        cluster.shard(shard)
                .sql("INSERT INTO customer VALUES (?, 'Ada')")
                .param(ada.id())
                .update();
    }

    private void removeFrom(int shard) {
        cluster.shard(shard)
                .sql("DELETE FROM customer WHERE id = ?")
                .param(ada.id())
                .update();
    }

    @Test
    void aRowInAnotherShard() {
        copyTo(3);
        removeFrom(6);

        says(adaIs("where its id names it", "in shard 3 on database pg1"), () -> assertThat(cluster.row(ada))
                .isStoredInTheShardItsIdNames());
        assertThat(cluster.row(ada)).isStoredInShard(3).isOnDatabase("pg1").isStoredOnce();
    }

    @Test
    void aRowInAnotherShardOfTheDatabaseThatItsIdNames() {
        copyTo(5);
        removeFrom(6);

        says(adaIs("where its id names it", "in shard 5 on database pg2"), () -> assertThat(cluster.row(ada))
                .isStoredInTheShardItsIdNames());
    }

    @Test
    void aRowInASchemaOfItsShardOnAnotherDatabase() {
        cluster.database("pg1")
                .sql("CREATE SCHEMA shard_0006; CREATE TABLE shard_0006.customer AS SELECT " + ada.id() + " AS id")
                .update();
        try {
            removeFrom(6);

            says(adaIs("where its id names it", "in shard 6 on database pg1"), () -> assertThat(cluster.row(ada))
                    .isStoredInTheShardItsIdNames());
        } finally {
            cluster.database("pg1").sql("DROP SCHEMA shard_0006 CASCADE").update();
        }
    }

    @Test
    void aRowInAnotherShardThanIsAsserted() {
        assertThat(cluster.row(ada)).isStoredInTheShardItsIdNames();
        says(adaIs("in shard 5", "in shard 6 on database pg2"), () -> assertThat(cluster.row(ada))
                .isStoredInShard(5));
        says(adaIs("on database pg1", "in shard 6 on database pg2"), () -> assertThat(cluster.row(ada))
                .isOnDatabase("pg1"));
        says(
                adaIs("in the shard of the id " + bob.id() + ", which is shard 1", "in shard 6 on database pg2"),
                () -> assertThat(cluster.row(ada)).isInTheSameShardAs(bob));
        says(adaIs("nowhere in the cluster", "in shard 6 on database pg2"), () -> assertThat(cluster.row(ada))
                .isNotStored());
    }

    @Test
    void aRowInTwoShards() {
        copyTo(3);

        says(
                adaIs("exactly once in the cluster", "in shard 3 on database pg1, and in shard 6 on database pg2"),
                () -> assertThat(cluster.row(ada)).isStoredOnce());
        assertThat(cluster.row(ada)).isStoredInTheShardItsIdNames();
    }

    @Test
    void aRowThatIsNowhere() {
        removeFrom(6);

        assertThat(cluster.row(ada)).isNotStored();
        says(adaIs("where its id names it", "nowhere"), () -> assertThat(cluster.row(ada))
                .isStoredInTheShardItsIdNames());
        says(adaIs("exactly once in the cluster", "nowhere"), () -> assertThat(cluster.row(ada))
                .isStoredOnce());
    }

    @Test
    void aStoppedDatabaseIsNotLookedInto() {
        cluster.stop("pg2");

        says(
                adaIs("where its id names it", "nowhere") + " Not searched, because stopped: [pg2].",
                () -> assertThat(cluster.row(ada)).isStoredInTheShardItsIdNames());
        says(
                adaIs("nowhere in the cluster", "nowhere") + " Not searched, because stopped: [pg2].",
                () -> assertThat(cluster.row(ada)).isNotStored());
        assertThatThrownBy(() -> assertThat(cluster.row(bob)).isStoredOnce())
                .hasMessageEndingWith("was found in shard 1 on database pg1. Not searched, because stopped: [pg2].");
        assertThat(cluster.row(bob)).isStoredInTheShardItsIdNames();
    }

    @Test
    void ids() {
        String expected = "Expected the " + adasId() + ", to ";
        says(expected + "name shard 5.", () -> assertThat(cluster.id(ada.id())).isInShard(5));
        says(expected + "name a shard on database pg1.", () -> assertThat(cluster.id(ada.id()))
                .isOnDatabase("pg1"));
        says(
                expected + "name the same shard as the id " + bob.id() + ", which names shard 1 on database pg1.",
                () -> assertThat(cluster.id(ada.id())).isInTheSameShardAs(bob.id()));
        says(
                expected + "be generated by a JVM, but its sequence belongs to the database.",
                () -> assertThat(cluster.id(ada.id())).isGeneratedByJvm());
        Purchase purchase = await().until(
                        () -> purchases.save(new Purchase(ada, "DE")),
                        saved -> cluster.id(saved.id()).decoded().node().isPresent());
        assertThat(cluster.id(purchase.id())).isGeneratedByJvm();
        says(
                "Expected the " + cluster.id(purchase.id())
                        + ", to be generated by a database, but its sequence belongs to a JVM node.",
                () -> assertThat(cluster.id(purchase.id())).isGeneratedByDatabase());
        says(
                "Expected the number -5, which is no id of this cluster, to name shard 5.",
                () -> assertThat(cluster.id(-5)).isInShard(5));
    }

    @Test
    void whatCannotBeAsked() {
        Voucher voucher = vouchers.save(new Voucher("SPRING"));
        assertThatThrownBy(() -> assertThat(cluster.row(voucher)).isStoredInTheShardItsIdNames())
                .hasMessage("Voucher SPRING is a global entity: its id contains no shard.");
        says(
                "Voucher SPRING is expected to be stored on database pg2, but was found in schema sharded_global on"
                        + " database pg1.",
                () -> assertThat(cluster.row(voucher)).isOnDatabase("pg2"));
        assertThatThrownBy(() -> cluster.row("text"))
                .hasMessage("java.lang.String is no entity of the application under test.");
        assertThatThrownBy(() -> cluster.row(new Customer("Eve")))
                .hasMessage("The Customer has no id yet. Save it first.");
        assertThatThrownBy(() -> cluster.clean("voucher"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "@AutoConfigureShardedCluster(keep = …) contains voucher, which references country on database pg1,"
                                + " whose rows would be deleted. Add that table, too.");
    }
}
