package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardKeys;
import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A shard key works, or is refused when the session factory is built: it never has no effect. */
@Tag("quick")
class ShardKeyMappingsIntegrationTests {
    private static final int SHARDS = 8;
    private static TestCluster databases;

    @Entity(name = "Tree")
    static class Tree {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @ManyToOne
        @Nullable
        Tree parent;

        @OneToMany(mappedBy = "parent", cascade = CascadeType.ALL)
        List<Tree> children = new ArrayList<>();

        static Tree under(@Nullable Tree parent) {
            Tree made = new Tree();
            made.parent = parent;
            if (parent != null) {
                parent.children.add(made);
            }
            return made;
        }
    }

    @Entity(name = "Entry")
    static class Entry {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey(references = Entry.class)
        @Nullable
        Long parentId;
    }

    @Entity(name = "Invoice")
    static class Invoice {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @ShardKey
        @TenantId
        @Nullable
        String tenant;
    }

    @Entity(name = "Account")
    static class Account {
        @Id
        @ShardedId
        @Nullable
        Long id;

        @TenantId
        @Nullable
        String owner;
    }

    @BeforeAll
    static void start() {
        databases = new TestCluster(
                IdLayout.DEFAULT,
                SHARDS,
                2,
                GlobalDatabase.on("pg1"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
        for (int shard = 0; shard < SHARDS; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; CREATE SEQUENCE tree_id_seq MINVALUE 0;"
                            + " CREATE TABLE tree (id bigint PRIMARY KEY, parent_id bigint);"
                            + " CREATE SEQUENCE entry_id_seq MINVALUE 0;"
                            + " CREATE TABLE entry (id bigint PRIMARY KEY, parent_id bigint);"
                            + " CREATE SEQUENCE invoice_id_seq MINVALUE 0;"
                            + " CREATE TABLE invoice (id bigint PRIMARY KEY, tenant text NOT NULL); RESET search_path");
        }
    }

    @AfterAll
    static void stop() {
        databases.close();
    }

    private static Configuration with(Class<?>... entities) {
        return GlobalEntitiesIntegrationTests.configuration(databases).addAnnotatedClasses(entities);
    }

    private static int shardOf(@Nullable Long id) {
        assertThat(id).isNotNull();
        return databases.cluster().shardOf(id);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(RefusedKeys.DeepInId.class, "PairId.tenant", "has no effect"),
                Arguments.of(RefusedKeys.OnIdClass.class, "PairId.tenant", "has no effect"),
                Arguments.of(RefusedKeys.InConstructor.class, "the constructor of ", "write @field:ShardKey"),
                Arguments.of(RefusedKeys.OnGlobalId.class, "OnGlobalId.id", "has no effect"),
                Arguments.of(RefusedKeys.IdElsewhere.class, "IdElsewhere.number", "is not the id"),
                Arguments.of(RefusedKeys.OnTransient.class, "OnTransient.tenant", "has no effect"),
                Arguments.of(RefusedKeys.OnGetter.class, "OnGetter.getTenant", "has no effect"),
                Arguments.of(RefusedKeys.InCollection.class, "Line.tenant", "not in a collection"),
                Arguments.of(RefusedKeys.ByFormula.class, "ByFormula.tenant", "computed by the database"),
                Arguments.of(RefusedKeys.ByVersion.class, "ByVersion.version", "is generated"),
                Arguments.of(RefusedKeys.ByGenerated.class, "ByGenerated.token", "is generated"),
                Arguments.of(RefusedKeys.NotInserted.class, "NotInserted.tenant", "not insertable"),
                Arguments.of(StoredKeys.Converted.class, "Converted.code", "has a converter"),
                Arguments.of(StoredKeys.ConvertedReference.class, "ConvertedReference.other", "has a converter"),
                Arguments.of(StoredKeys.Written.class, "Written.code", "has a @ColumnTransformer"),
                Arguments.of(StoredKeys.Read.class, "Read.code", "has a @ColumnTransformer"),
                Arguments.of(StoredKeys.Padded.class, "Padded.code", "has the column type char(10)"),
                Arguments.of(StoredKeys.PaddedByCode.class, "PaddedByCode.code", "has the column type char"),
                Arguments.of(StoredKeys.CaseInsensitive.class, "CaseInsensitive.code", "has the column type citext"),
                Arguments.of(StoredKeys.Rounded.class, "Rounded.number", "has the column type real"),
                Arguments.of(StoredKeys.Collated.class, "Collated.code", "has the collation no_case"),
                Arguments.of(StoredKeys.CollatedByDefinition.class, "CollatedByDefinition.code", "COLLATE no_case"),
                Arguments.of(StoredKeys.WrittenId.class, "WrittenId.id", "has a @ColumnTransformer"),
                Arguments.of(RefusedKeys.NoFirst.class, "NoFirst.parent", "no row can be the first"),
                Arguments.of(RefusedKeys.Chicken.class, "Egg.chicken", "no row can be the first"));
    }

    @ParameterizedTest
    @MethodSource
    void refused(Class<?> entity, String attribute, String why) {
        Configuration configuration = with(entity);
        if (entity == RefusedKeys.Chicken.class) {
            configuration.addAnnotatedClass(RefusedKeys.Egg.class);
        }
        assertThatThrownBy(() -> configuration.buildSessionFactory().close())
                .hasStackTraceContaining(ShardedIdMappingException.class.getName())
                .hasStackTraceContaining(attribute)
                .hasStackTraceContaining(why);
    }

    @Test
    void aColumnThatStoresTheKeyAsItIsIsAccepted() {
        with(
                        StoredKeys.Plain.class,
                        StoredKeys.PlainText.class,
                        StoredKeys.PlainNumber.class,
                        StoredKeys.TextOfUuid.class)
                .buildSessionFactory()
                .close();
    }

    @Test
    void theFirstRowOfATreeIsPlacedAndTheOthersLiveWithIt() {
        try (SessionFactory sessions = with(Tree.class, Entry.class).buildSessionFactory()) {
            Tree root = Tree.under(null);
            Tree leaf = Tree.under(Tree.under(root));
            ShardContext.run(5, () -> sessions.inTransaction(session -> session.persist(root)));
            assertThat(shardOf(root.id)).isEqualTo(5);
            assertThat(shardOf(leaf.id)).isEqualTo(5);

            Entry first = new Entry();
            sessions.inTransaction(session -> session.persist(first));
            Entry second = new Entry();
            second.parentId = first.id;
            sessions.inTransaction(session -> session.persist(second));
            assertThat(shardOf(second.id)).isEqualTo(shardOf(first.id));
        }
    }

    @Test
    void aTenantsRowsAreInTheShardOfItsId() {
        try (SessionFactory sessions = with(Invoice.class).buildSessionFactory()) {
            for (String tenant : List.of("acme", "globex", "initech")) {
                Invoice invoice = new Invoice();
                try (var session =
                        sessions.withOptions().tenantIdentifier((Object) tenant).openSession()) {
                    session.beginTransaction();
                    session.persist(invoice);
                    session.getTransaction().commit();
                    session.clear();
                    assertThat(shardOf(invoice.id)).isEqualTo(ShardKeys.shardOf(tenant, SHARDS));
                    assertThat(session.find(Invoice.class, invoice.id).tenant).isEqualTo(tenant);
                }
            }
        }
    }
}
