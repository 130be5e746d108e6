package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.CheckedMappings.ByNumber;
import io.github.shardedid.hibernate.CheckedMappings.ByProperty;
import io.github.shardedid.hibernate.CheckedMappings.ByText;
import io.github.shardedid.hibernate.CheckedMappings.CachedCopy;
import io.github.shardedid.hibernate.CheckedMappings.Fine;
import io.github.shardedid.hibernate.CheckedMappings.Generated;
import io.github.shardedid.hibernate.CheckedMappings.Global;
import io.github.shardedid.hibernate.CheckedMappings.GlobalKeys;
import io.github.shardedid.hibernate.CheckedMappings.GlobalWithSchema;
import io.github.shardedid.hibernate.CheckedMappings.Inverse;
import io.github.shardedid.hibernate.CheckedMappings.ManyGlobals;
import io.github.shardedid.hibernate.CheckedMappings.ManyShardeds;
import io.github.shardedid.hibernate.CheckedMappings.NamedCopy;
import io.github.shardedid.hibernate.CheckedMappings.NoKey;
import io.github.shardedid.hibernate.CheckedMappings.Owning;
import io.github.shardedid.hibernate.CheckedMappings.Root;
import io.github.shardedid.hibernate.CheckedMappings.SameTable;
import io.github.shardedid.hibernate.CheckedMappings.WithSchema;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import java.util.List;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MappingChecksIntegrationTests {
    private static TestCluster databases;

    @BeforeAll
    static void start() {
        databases = new TestCluster(
                IdLayout.DEFAULT,
                8,
                2,
                GlobalDatabase.on("pg2"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
    }

    @AfterAll
    static void stop() {
        databases.close();
    }

    private static Configuration with(Class<?>... entities) {
        return GlobalEntitiesIntegrationTests.configuration(databases)
                .addAnnotatedClasses(entities)
                .addAnnotatedClasses(Root.class, ByNumber.class, ByText.class, Global.class);
    }

    private static void assertRefused(Configuration configuration, String... words) {
        var thrown = assertThatThrownBy(
                        () -> configuration.buildSessionFactory().close())
                .hasStackTraceContaining(ShardedIdMappingException.class.getName());
        for (String word : words) {
            thrown.hasStackTraceContaining(word);
        }
    }

    private static void assertRefused(Class<?> entity, String... words) {
        assertRefused(with(entity), words);
    }

    @Test
    @Tag("quick")
    void whatCanWorkIsAccepted() {
        assertThatCode(() -> with(Fine.class, NoKey.class).buildSessionFactory().close())
                .doesNotThrowAnyException();
    }

    @Test
    @Tag("quick")
    void allProblemsAreToldAtOnce() {
        Configuration broken = with(
                Generated.class,
                ManyShardeds.class,
                GlobalKeys.class,
                WithSchema.class,
                DerivedIds.TwoRoots.class,
                ForeignMappings.Plain.class);
        ShardedIdMappingException refused = refused(broken);
        List<String> problems = refused.problems();
        assertThat(problems).hasSize(9);
        assertThat(refused).hasMessageContainingAll("Found 9 problems:", "    9. ");
        for (String words : List.of(
                "Generated.id has both @ShardedId and @GeneratedValue",
                "ManyShardeds.roots leads from",
                "GlobalKeys.words leads from",
                "WithSchema is mapped to the schema other",
                "TwoRoots refers to several sharded rows",
                "Plain.number has @ForeignShard",
                "table shard_0000.root on database pg1")) {
            assertThat(problems)
                    .as(words)
                    .filteredOn(each -> each.contains(words))
                    .hasSize(1);
        }
    }

    @Test
    void aMessageContainsFiftyProblems() {
        List<String> problems =
                IntStream.rangeClosed(1, 53).mapToObj(i -> "Problem " + i).toList();
        ShardedIdMappingException refused = new ShardedIdMappingException(problems);
        assertThat(refused).hasMessageContaining("    50. Problem 50").hasMessageEndingWith("    and 3 more");
        assertThat(refused.problems()).hasSize(53);
    }

    private static ShardedIdMappingException refused(Configuration configuration) {
        return assertThatExceptionOfType(ShardedIdMappingException.class)
                .isThrownBy(() -> configuration.buildSessionFactory().close())
                .actual();
    }

    @Test
    void aGeneratedValueBesideAShardedIdIsRefused() {
        assertRefused(Generated.class, "Generated.id has both @ShardedId and @GeneratedValue");
    }

    @Test
    @Tag("quick")
    void associationsBetweenShardedAndGlobalEntitiesThatNeedAJoinAreRefused() {
        assertRefused(
                ManyShardeds.class,
                "ManyShardeds.roots leads from the global entity",
                "to the sharded entity",
                "the rows of a join table as an entity");
        assertRefused(ManyGlobals.class, "ManyGlobals.globals leads from the sharded entity");
        assertRefused(GlobalKeys.class, "GlobalKeys.words leads from the sharded entity");
        assertRefused(
                ByProperty.class, "ByProperty.text leads from the global entity", "Only an association to the id");
        assertRefused(with(Inverse.class, Owning.class), "Inverse.owning leads from the global entity");
    }

    /** The cache is shared by reads of copies and of originals. */
    @Test
    void replicatedEntitiesAreNotCached() {
        assertRefused(
                CachedCopy.class,
                "CachedCopy has @Cache or @NaturalIdCache, and is replicated",
                "CachedCopy.texts has @Cache");
        assertRefused(NamedCopy.class, "NamedCopy has @Cache or @NaturalIdCache, and is replicated");
    }

    @Test
    void anEntityWhoseIdContainsTheIdOfAShardedOneIsShardedUnlessItIsDeclaredGlobal() {
        for (Class<?> entity : List.of(
                DerivedIds.InIdClass.class,
                DerivedIds.InEmbeddedId.class,
                DerivedIds.ByMapsId.class,
                DerivedIds.OverAColumn.class)) {
            try (SessionFactory factory = with(entity).buildSessionFactory()) {
                assertThat(EntityShards.of(factory).orElseThrow().isSharded(entity))
                        .isTrue();
            }
        }
        try (SessionFactory factory = with(DerivedIds.DeclaredGlobal.class).buildSessionFactory()) {
            assertThat(EntityShards.of(factory).orElseThrow().isGlobal(DerivedIds.DeclaredGlobal.class))
                    .isTrue();
        }
        assertRefused(DerivedIds.Alone.class, "Alone has no class for its ids", "@MapsId");
    }

    @Test
    void aShardKeyBesideAnIdThatNamesNoShardIsAccepted() {
        assertThatCode(() ->
                        with(DerivedIds.WithUuid.class).buildSessionFactory().close())
                .doesNotThrowAnyException();
    }

    @Test
    @Tag("quick")
    void aCompositeIdOfSeveralShardsNamesTheOneThatDecides() {
        assertRefused(
                DerivedIds.TwoRoots.class, "TwoRoots refers to several sharded rows", "[one, other]", "@ShardKey");
        assertRefused(DerivedIds.TwoKeys.class, "TwoKeys has several", "@ShardKey");
        assertRefused(DerivedIds.NoIdClass.class, "NoIdClass has no class for its ids", "@IdClass");
        assertRefused(
                DerivedIds.OnlyForeign.class, "OnlyForeign.one has @ForeignShard", "no other part", "@GlobalEntity");
    }

    @Test
    void tablesHaveOnePlaceAndNoSchema() {
        assertRefused(WithSchema.class, "The table ", "$WithSchema is mapped to the schema other", "every shard");
        assertRefused(
                GlobalWithSchema.class, "is mapped to the schema other", "the schema that the GlobalDatabase names");
        assertRefused(SameTable.class, "The table ", "is also that of an entity that is");
    }

    @Test
    void globalEntitiesNeedAGlobalDatabase() {
        try (TestCluster none = new TestCluster(IdLayout.DEFAULT, 2, 1, "classpath:db/membership/shard")) {
            assertRefused(
                    GlobalEntitiesIntegrationTests.configuration(none).addAnnotatedClasses(Global.class),
                    "The id of io.github.shardedid.hibernate.CheckedMappings$Global has no @ShardedId",
                    "RoutingOptions.withGlobal");
        }
    }

    @Test
    @Tag("quick")
    void aSequenceThatIsMissingInTheFirstShardOfADatabaseIsNamed() {
        try (TestCluster own = new TestCluster(
                IdLayout.DEFAULT,
                8,
                2,
                GlobalDatabase.on("pg1"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard")) {
            membership(own).buildSessionFactory().close();
            otherDefaultsAreNamed(own);
            own.home(4)
                    .execute("ALTER SEQUENCE shard_0004.member_id_seq OWNED BY NONE;"
                            + " ALTER TABLE shard_0004.member ALTER COLUMN id DROP DEFAULT;"
                            + " DROP SEQUENCE shard_0004.member_id_seq");
            assertRefused(
                    membership(own),
                    "The sequence member_id_seq of io.github.shardedid.hibernate.Membership$Member is missing in"
                            + " shard_0004 on database pg2");
            membership(own)
                    .setProperty(ShardingSettings.CHECK_SEQUENCES, "false")
                    .buildSessionFactory()
                    .close();
            own.home(0).execute("CREATE TABLE shard_0000.poster (id bigint PRIMARY KEY)");
            assertRefused(
                    GlobalEntitiesIntegrationTests.configuration(own)
                            .addAnnotatedClasses(CheckedMappings.Notice.class, CheckedMappings.Poster.class),
                    "notice_id_seq of io.github.shardedid.hibernate.CheckedMappings$Poster is missing in"
                            + " shard_0000");
            assertThat(own.activeConnections()).isZero();
        }
    }

    /** What {@code bigserial} and identity columns are. */
    private static void otherDefaultsAreNamed(TestCluster own) {
        String column = "ALTER TABLE shard_0004.member ALTER COLUMN id ";
        String of =
                "The default of the id of io.github.shardedid.hibernate.Membership$Member in shard_0004 on database pg2 is ";
        own.home(4).execute(column + "SET DEFAULT nextval('shard_0004.member_id_seq')");
        assertRefused(
                membership(own),
                of + "nextval",
                "ALTER TABLE member ALTER COLUMN id SET DEFAULT next_id('member_id_seq').");
        own.home(4).execute(column + "DROP DEFAULT; " + column + "ADD GENERATED BY DEFAULT AS IDENTITY");
        assertRefused(
                membership(own),
                of + "that of an identity column",
                "ALTER COLUMN id DROP IDENTITY; CREATE SEQUENCE IF NOT EXISTS member_id_seq MINVALUE 0; ALTER TABLE");
        own.home(4).execute(column + "DROP IDENTITY");
        membership(own).buildSessionFactory().close();
        // Another column may have such a default, also as the primary key.
        own.home(4)
                .execute("ALTER TABLE shard_0004.member DROP CONSTRAINT member_pkey;"
                        + " ALTER TABLE shard_0004.member ADD COLUMN row_no bigserial PRIMARY KEY");
        membership(own).buildSessionFactory().close();
        own.home(4).execute(column + "SET DEFAULT nextval('shard_0004.member_id_seq')");
        assertRefused(membership(own), of + "nextval");
        own.home(4).execute(column + "DROP DEFAULT");
    }

    private static Configuration membership(TestCluster cluster) {
        return GlobalEntitiesIntegrationTests.configuration(cluster).addAnnotatedClasses(Membership.ENTITIES);
    }
}
