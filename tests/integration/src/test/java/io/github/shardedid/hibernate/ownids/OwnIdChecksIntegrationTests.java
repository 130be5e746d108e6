package io.github.shardedid.hibernate.ownids;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What needs the shard of a row by its id alone is refused at start, where the id names none. */
class OwnIdChecksIntegrationTests {
    private static ShopCluster shop;

    @BeforeAll
    static void start() {
        shop = new ShopCluster();
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static void build(Class<?>... entities) {
        shop.configuration()
                .setProperty("hibernate.cache.use_second_level_cache", "false")
                .addAnnotatedClasses(Shop.ENTITIES)
                .addAnnotatedClasses(entities)
                .buildSessionFactory()
                .close();
    }

    private static void assertRefused(Class<?> entity, String... words) {
        assertRefused(new Class<?>[] {entity}, words);
    }

    private static void assertRefused(Class<?>[] entities, String... words) {
        var thrown = assertThatThrownBy(() -> build(entities))
                .hasStackTraceContaining(ShardedIdMappingException.class.getName());
        for (String word : words) {
            thrown.hasStackTraceContaining(word);
        }
    }

    @Test
    void theOthersAreAccepted() {
        assertThatCode(() -> build()).doesNotThrowAnyException();
    }

    @Test
    void anIdThatNamesNoShardIsNoShardKey() {
        assertRefused(
                RefusedOwnIds.ByNumber.class, "ByNumber.ticketId references ", "$Ticket, whose id", "Put @ShardKey on");
        assertRefused(RefusedOwnIds.InId.class, "The id of ", "$InId refers to ", "$Ticket, whose id");
        assertRefused(
                RefusedOwnIds.Foreign.class,
                "Foreign.ticket has @ForeignShard",
                "to an entity whose id names its shard");
        assertRefused(RefusedOwnIds.Tree.class, "Tree.parent", "lead back to", "@ShardedId");
        assertRefused(RefusedOwnIds.KeyIsId.class, "KeyIsId.id", "has no effect");
    }

    @Test
    void theKeyIsInTheRootOfAHierarchy() {
        assertRefused(
                new Class<?>[] {RefusedOwnIds.Root.class, RefusedOwnIds.Branch.class},
                "Branch.customer has @ShardKey, but the entity's id names no shard",
                "declare the attribute in the root of the hierarchy");
    }

    @Test
    void cachesAreRefused() {
        assertRefused(RefusedOwnIds.Cached.class, "$Cached has @Cache, but it is", "names no shard", "Remove @Cache");
        assertRefused(
                RefusedOwnIds.CachedReference.class,
                "$CachedReference has @Cache, but it is, belongs to or refers to an entity whose id names no shard");
        assertRefused(RefusedOwnIds.CachedCollection.class, "$CachedCollection.tickets has @Cache");
    }

    @Test
    void generatedNumbersAreRefused() {
        for (Class<?> each : new Class<?>[] {RefusedOwnIds.ByTable.class, RefusedOwnIds.ByIncrement.class}) {
            assertRefused(each, each.getName() + ".id is generated, but has no @ShardedId", "generate a UUID");
        }
    }

    @Test
    void otherIdsAreRefused() {
        assertRefused(RefusedOwnIds.Natural.class, "$Natural has @NaturalId", "Remove @NaturalId");
        assertRefused(RefusedOwnIds.WithoutMapsId.class, "$WithoutMapsId has no class for its ids", "@MapsId");
        assertRefused(RefusedOwnIds.Bytes.class, "$Bytes.id", "byte[]");
        assertRefused(RefusedOwnIds.Global.class, "$Global.tenant", "@GlobalEntity");
    }
}
