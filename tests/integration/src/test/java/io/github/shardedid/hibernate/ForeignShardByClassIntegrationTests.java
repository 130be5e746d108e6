package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.CirclesByClass.Author;
import io.github.shardedid.hibernate.CirclesByClass.Boo;
import io.github.shardedid.hibernate.CirclesByClass.Clap;
import io.github.shardedid.hibernate.CirclesByClass.Essay;
import io.github.shardedid.hibernate.CirclesByClass.Person;
import io.github.shardedid.hibernate.CirclesByClass.Sign;
import io.github.shardedid.hibernate.CirclesByClass.Text;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.test.TestCluster;
import java.util.List;
import java.util.Set;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** References to rows of other shards with joined tables, and with a table for each class. */
class ForeignShardByClassIntegrationTests {
    private static TestCluster databases;
    private static SessionFactory sessions;

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, 8, 2, "classpath:db/hibernate");
        for (int shard = 0; shard < 8; shard++) {
            databases
                    .home(shard)
                    .execute(
                            "SET search_path = shard_000" + shard + "; " + CirclesByClass.TABLES + "RESET search_path");
        }
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.setPhysicalNamingStrategy(
                new org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl());
        sessions = configuration.addAnnotatedClasses(CirclesByClass.ENTITIES).buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    private static <P extends Person> P person(int shard, P person) {
        person.name = "person of " + shard;
        return ShardContext.call(shard, () -> saved(person));
    }

    private static <E> E saved(E entity) {
        sessions.inTransaction(session -> session.persist(entity));
        return entity;
    }

    private static String name(Person person) {
        return person.getName();
    }

    @Test
    void rowsOfJoinedTablesReferToRowsOfJoinedTables() {
        Person writer = person(6, new Person());
        Author editor = person(7, new Author());
        Essay essay = new Essay();
        essay.page = 1;
        essay.writer = writer;
        essay.editor = editor;
        saved(essay);
        assertThat(databases.cluster().shardOf(java.util.Objects.requireNonNull(essay.id)))
                .isEqualTo(1);
        sessions.inTransaction(session -> {
            Text found = session.find(Text.class, essay.id);
            assertThat(Hibernate.isInitialized(found.writer)).isFalse();
            assertThat(name(found.writer)).isEqualTo("person of 6");
            Essay same = (Essay) Hibernate.unproxy(found);
            assertThat(name(same.editor)).isEqualTo("person of 7");
            assertThat(Hibernate.unproxy(same.editor)).isInstanceOf(Author.class);
        });
        ShardContext.run(
                1,
                () -> sessions.inTransaction(session -> {
                    List<Text> all =
                            session.createQuery("from writing", Text.class).getResultList();
                    assertThat(all).extracting(each -> each.id).contains(essay.id);
                    assertThatThrownBy(() -> session.createQuery(
                                            "select e from Essay e join e.editor p where p.name = ''", Essay.class)
                                    .getResultList())
                            .isInstanceOf(UnsupportedStatementException.class)
                            .hasMessageContaining("editor");
                    assertThatThrownBy(() -> session.createQuery(
                                            "from writing t where treat(t as Essay).editor.name = ''", Text.class)
                                    .getResultList())
                            .isInstanceOf(UnsupportedStatementException.class);
                }));
    }

    @Test
    void rowsOfATableForEachClassReferToRowsOfATableForEachClass() {
        Clap clap = new Clap();
        clap.page = 3;
        clap.fan = person(0, new Author());
        saved(clap);
        Boo boo = new Boo();
        boo.page = 4;
        boo.fan = person(2, new Person());
        boo.against = clap;
        saved(boo);
        sessions.inTransaction(session -> {
            Sign found = session.find(Sign.class, boo.id);
            assertThat(name(found.fan)).isEqualTo("person of 2");
            Boo same = (Boo) Hibernate.unproxy(found);
            Sign against = same.against;
            assertThat(Hibernate.isInitialized(against)).isFalse();
            assertThat(Hibernate.unproxy(against)).isInstanceOf(Clap.class);
            assertThat(name(((Sign) Hibernate.unproxy(against)).fan)).isEqualTo("person of 0");
        });
        ShardContext.run(
                4,
                () -> sessions.inTransaction(session -> {
                    assertThat(session.createQuery("from Sign s where s.fan.id = :id", Sign.class)
                                    .setParameter("id", boo.fan.id)
                                    .getResultList())
                            .hasSize(1);
                    assertThatThrownBy(() -> session.createQuery("from Sign s join fetch s.fan", Sign.class)
                                    .getResultList())
                            .isInstanceOf(UnsupportedStatementException.class);
                }));
    }

    @Test
    void aMovedReferenceIsUpdatedWhereItsOwnerIs() {
        Boo boo = new Boo();
        boo.page = 5;
        boo.fan = person(1, new Person());
        saved(boo);
        Author other = person(6, new Author());
        sessions.inTransaction(
                session -> session.find(Boo.class, boo.id).fan = session.getReference(Person.class, other.id));
        assertThat(databases.home(5).query("SELECT fan_id FROM shard_0005.boo WHERE id = " + boo.id))
                .containsExactly(String.valueOf(other.id));
    }

    @Test
    void whatCannotWorkIsRefusedAtStart() {
        refusedAtStart(
                ForeignMappings.Eager.class, "Eager.user has @ForeignShard, which is known to work only on a lazy");
        refusedAtStart(
                ForeignMappings.Cascading.class, "Cascading.user has @ForeignShard, which is known to work only");
        refusedAtStart(
                ForeignMappings.CascadingSet.class,
                "CascadingSet.users has @ForeignShard, which is known to work only");
        refusedAtStart(ForeignMappings.Ignoring.class, "Ignoring.user has @ForeignShard, which is known to work only");
        refusedAtStart(ForeignMappings.Keyed.class, "Keyed.user has @ForeignShard, so its row may be in any shard");
        refusedAtStart(ForeignMappings.Plain.class, "Plain.number has @ForeignShard, which is known to work only");
        refusedAtStart(ForeignMappings.Joined.class, "Joined.users has @ForeignShard, which is known to work only");
        refusedAtStart(ForeignMappings.Ordered.class, "Ordered.users has @ForeignShard, which is known to work only");
        refusedAtStart(ForeignMappings.Inverse.class, "Inverse.owned leads from", "$Owned", "@AllShards");
        refusedAtStart(ForeignMappings.Likes.class, "Likes.user has @ForeignShard, which is known to work only");
    }

    private static void refusedAtStart(Class<?> entity, String... words) {
        var configuration = GlobalEntitiesIntegrationTests.configuration(databases)
                .addAnnotatedClasses(Circles.ENTITIES)
                .addAnnotatedClasses(entity, ForeignMappings.Owned.class, ForeignMappings.Inverse.class);
        if (entity != ForeignMappings.Inverse.class) {
            configuration = GlobalEntitiesIntegrationTests.configuration(databases)
                    .addAnnotatedClasses(Circles.ENTITIES)
                    .addAnnotatedClass(entity);
        }
        var refused = configuration;
        var thrown = assertThatThrownBy(() -> refused.buildSessionFactory().close())
                .hasStackTraceContaining(ShardedIdMappingException.class.getName());
        for (String word : words) {
            thrown.hasStackTraceContaining(word);
        }
    }

    @Test
    void thereIsNoForeignKeyInGeneratedSchemas() {
        Set<String> keys = new java.util.HashSet<>();
        var registry = new org.hibernate.boot.registry.StandardServiceRegistryBuilder()
                .applySetting("hibernate.connection.datasource", databases.dataSource())
                .build();
        var sources = new org.hibernate.boot.MetadataSources(registry);
        for (Class<?> entity : Circles.ENTITIES) {
            sources.addAnnotatedClass(entity);
        }
        sources.buildMetadata().collectTableMappings().forEach(table -> table.getForeignKeyCollection().stream()
                .filter(key -> key.isCreationEnabled())
                .forEach(key ->
                        keys.add(table.getName() + " " + key.getColumns().get(0).getName())));
        registry.close();
        assertThat(keys).containsExactlyInAnyOrder("post author_id", "comment post_id", "comment_mentions comment_id");
    }
}
