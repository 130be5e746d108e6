package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.Folders.Folder;
import io.github.shardedid.hibernate.Folders.Label;
import io.github.shardedid.hibernate.Folders.Mark;
import io.github.shardedid.hibernate.Folders.Sheet;
import io.github.shardedid.hibernate.Folders.Tab;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.MisplacedIdException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.TestCluster;
import jakarta.persistence.criteria.CriteriaUpdate;
import jakarta.persistence.criteria.Root;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.hibernate.query.MutationQuery;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A reference to a row of another shard is refused wherever it is stored; one within the shard is read again. */
@Tag("quick")
class AssociationPathsIntegrationTests {
    private static final int SHARD = 2;
    private static final int OTHER = 6;
    private static TestCluster databases;
    private static SessionFactory sessions;

    /** How a folder refers to a label. */
    record Path(String path, BiConsumer<Folder, Label> add, Function<Folder, @Nullable Object> read) {
        @Override
        public String toString() {
            return path;
        }
    }

    static Stream<Path> paths() {
        return Stream.of(
                new Path("Folder.main", (folder, label) -> folder.main = label, folder -> folder.main),
                new Path("Folder.box.main", (folder, label) -> folder.box.main = label, folder -> folder.box.main),
                new Path(
                        "Folder.marks.label",
                        (folder, label) -> folder.marks.add(Mark.of(label, null)),
                        folder -> folder.marks.get(0).label),
                new Path(
                        "Folder.marks.nested.first",
                        (folder, label) -> folder.marks.add(Mark.of(null, label)),
                        folder -> folder.marks.get(0).nested.first),
                new Path(
                        "Folder.box.marks.label",
                        (folder, label) -> folder.box.marks.add(Mark.of(label, null)),
                        folder -> folder.box.marks.get(0).label),
                new Path(
                        "Folder.counts (map key)",
                        (folder, label) -> folder.counts.put(label, 1),
                        folder -> folder.counts.keySet().iterator().next()),
                new Path(
                        "Folder.marked (map key).first",
                        (folder, label) -> folder.marked.put(Mark.of(null, label).nested, "x"),
                        folder -> folder.marked.keySet().iterator().next().first),
                new Path(
                        "Folder.values.nested.first",
                        (folder, label) -> folder.values.put("x", Mark.of(null, label)),
                        folder -> Objects.requireNonNull(folder.values.get("x")).nested.first),
                new Path("Folder.labels", (folder, label) -> folder.labels.add(label), folder -> folder.labels
                        .iterator()
                        .next()),
                new Path(
                        "Folder.pairs (map key)",
                        (folder, label) -> folder.pairs.put(label, label(SHARD)),
                        folder -> folder.pairs.keySet().iterator().next()),
                new Path("Folder.any", (folder, label) -> folder.any = label, folder -> folder.any),
                new Path("Folder.box.any", (folder, label) -> folder.box.any = label, folder -> folder.box.any),
                new Path("Folder.loose", (folder, label) -> folder.loose = label, folder -> folder.loose),
                new Path("Folder.anys", (folder, label) -> folder.anys.add(label), folder -> folder.anys.get(0)));
    }

    @BeforeAll
    static void start() {
        databases = new TestCluster(IdLayout.DEFAULT, 8, 2, "classpath:db/keys");
        for (int shard = 0; shard < 8; shard++) {
            databases
                    .home(shard)
                    .execute("SET search_path = shard_000" + shard + "; " + Folders.TABLES + "RESET search_path");
        }
        sessions = configuration().addAnnotatedClasses(Folders.ENTITIES).buildSessionFactory();
    }

    private static Configuration configuration() {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", databases.dataSource());
        configuration.getProperties().put(ShardingSettings.COLOCATED_COLUMNS, databases.constraining());
        return configuration.setPhysicalNamingStrategy(new PhysicalNamingStrategySnakeCaseImpl());
    }

    @AfterAll
    static void stop() {
        sessions.close();
        databases.close();
    }

    private static Label label(int shard) {
        return saved(new Label(), shard);
    }

    private static <E> E saved(E entity, int shard) {
        return ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    session.persist(entity);
                    return entity;
                }));
    }

    private static void refused(String path, Label label, ThrowingCallable work) {
        assertThatThrownBy(() -> ShardContext.run(SHARD, () -> {
                    try {
                        work.call();
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Throwable e) {
                        throw new AssertionError(e);
                    }
                }))
                .hasStackTraceContaining(AssociationAcrossShardsException.class.getName())
                .hasStackTraceContaining(path + ": the row ")
                .hasStackTraceContaining("refers to io.github.shardedid.hibernate.Folders$Label#" + label.id);
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aRowOfAnotherShardIsRefused(Path path) {
        Label label = label(OTHER);
        Folder added = new Folder();
        path.add().accept(added, label);
        refused(path.path(), label, () -> sessions.inTransaction(session -> session.persist(added)));
        Folder changed = saved(new Folder(), SHARD);
        refused(
                path.path(),
                label,
                () -> sessions.inTransaction(
                        session -> path.add().accept(session.find(Folder.class, changed.id), label)));
        refused(
                path.path(),
                label,
                () -> sessions.inTransaction(session ->
                        path.add().accept(session.find(Folder.class, changed.id), session.getReference(label))));
        Folder detached = saved(new Folder(), SHARD);
        path.add().accept(detached, label);
        refused(path.path(), label, () -> sessions.inTransaction(session -> session.merge(detached)));
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aRowOfAnotherShardIsRefusedByAStatelessSession(Path path) {
        Label label = label(OTHER);
        Folder added = new Folder();
        path.add().accept(added, label);
        try (var session = sessions.openStatelessSession()) {
            refused(path.path(), label, () -> session.insert(added));
            assertThat(databases.idsEverywhere("folder")).doesNotContain(added.id);
            Folder changed = saved(new Folder(), SHARD);
            path.add().accept(changed, label);
            refused(path.path(), label, () -> session.update(changed));
            refused(path.path(), label, () -> session.upsert(changed));
        }
    }

    private static int changed(String hql, Label label, @Nullable Folder folder) {
        return sessions.fromTransaction(session -> {
            MutationQuery query = session.createMutationQuery(hql).setParameter("label", label);
            return (folder == null ? query : query.setParameter("id", folder.id)).executeUpdate();
        });
    }

    private static int changedByCriteria(String attribute, Label label, Folder folder) {
        return sessions.fromTransaction(session -> {
            CriteriaUpdate<Folder> update = session.getCriteriaBuilder().createCriteriaUpdate(Folder.class);
            Root<Folder> root = update.from(Folder.class);
            update.set(root.<Object>get(attribute), label)
                    .where(session.getCriteriaBuilder().equal(root.get("id"), folder.id));
            return session.createMutationQuery(update).executeUpdate();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"any", "loose"})
    void aReferenceToAnyRowIsNotSetInBulk(String attribute) {
        Label label = label(SHARD);
        Label other = label(OTHER);
        Folder folder = saved(new Folder(), SHARD);
        String byId = "update Folder f set f." + attribute + " = :label where f.id = :id";
        for (Label each : List.of(label, other)) {
            assertThatThrownBy(() -> changed(byId, each, folder))
                    .isInstanceOf(ShardKeyMismatchException.class)
                    .hasMessageContaining("(f)." + attribute);
            assertThatThrownBy(() -> changedByCriteria(attribute, each, folder))
                    .isInstanceOf(ShardKeyMismatchException.class);
        }
        assertThatThrownBy(() -> sessions.inTransaction(session -> session.createNativeMutationQuery(
                                "update {h-schema}folder set " + attribute + "_id = :label where id = :id")
                        .setParameter("label", other.id)
                        .setParameter("id", folder.id)
                        .executeUpdate()))
                .hasStackTraceContaining(MisplacedIdException.class.getName());
    }

    /** It may be one of the global database, so it decides nothing; the scope of another shard is refused. */
    @ParameterizedTest
    @ValueSource(strings = {"any", "loose"})
    void aReferenceToAnyRowNeedsTheScopeOfItsShard(String attribute) {
        Label label = label(SHARD);
        Folder folder = new Folder();
        folder.any = label;
        folder.loose = label;
        saved(folder, SHARD);
        Function<Session, List<Long>> query = session -> session.createSelectionQuery(
                        "select f.id from Folder f where f." + attribute + " = :label", Long.class)
                .setParameter("label", label)
                .getResultList();
        assertThat(ShardContext.<List<Long>>call(SHARD, () -> sessions.fromTransaction(query)))
                .containsExactly(folder.id);
        assertThatThrownBy(() -> ShardContext.<List<Long>>call(OTHER, () -> sessions.fromTransaction(query)))
                .isInstanceOf(NoShardException.class)
                .hasMessageContaining("of shard " + SHARD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"f.any.id = :id", "id(f.box.any) = :id", "f.any.id in (:id)"})
    void theIdOfAnyRowIsThatOfItsShard(String condition) {
        Folder folder = new Folder();
        Label label = label(SHARD);
        folder.any = label;
        folder.box.any = label;
        saved(folder, SHARD);
        assertThat(ShardContext.<List<Folder>>call(
                        OTHER,
                        () -> sessions.fromTransaction(session -> session.createSelectionQuery(
                                        "from Folder f where " + condition, Folder.class)
                                .setParameter("id", label.id)
                                .getResultList())))
                .singleElement()
                .extracting(found -> found.id)
                .isEqualTo(folder.id);
    }

    @Test
    void anIdThatNamesNoShardMayBeThatOfARowWithAReferenceToAnyRow() {
        Label label = label(SHARD);
        Folder folder = saved(new Folder(), SHARD);
        try (SessionFactory further = configuration()
                .addAnnotatedClasses(Folders.ENTITIES)
                .addAnnotatedClass(Tab.class)
                .buildSessionFactory()) {
            further.inTransaction(session -> {
                Tab tab = new Tab();
                tab.name = "first";
                tab.folder = session.getReference(Folder.class, folder.id);
                tab.any = session.getReference(Label.class, label.id);
                session.persist(tab);
            });
            Tab read = further.fromTransaction(
                    session -> session.createSelectionQuery("from Tab t where t.folder.id = :id", Tab.class)
                            .setParameter("id", folder.id)
                            .getSingleResult());
            assertThat(read.any).isInstanceOfSatisfying(Label.class, found -> assertThat(found.id)
                    .isEqualTo(label.id));
        }
    }

    @ParameterizedTest
    @MethodSource("paths")
    void aRowOfTheSameShardIsReadAgain(Path path) {
        Folder folder = new Folder();
        Label label = label(SHARD);
        path.add().accept(folder, label);
        saved(folder, SHARD);
        sessions.inTransaction(session -> session.find(Folder.class, folder.id).title = "changed");
        sessions.inTransaction(session -> {
            Object found = Hibernate.unproxy(path.read().apply(session.find(Folder.class, folder.id)));
            assertThat(found).isInstanceOfSatisfying(Label.class, read -> assertThat(read.id)
                    .isEqualTo(label.id));
        });
    }

    /** Hibernate writes the key of an inverse map, too. */
    @Test
    void theKeyOfAnInverseMapIsChecked() {
        Folder folder = saved(new Folder(), SHARD);
        Label label = label(OTHER);
        refused(
                "Folder.sheets (map key)",
                label,
                () -> sessions.inTransaction(session -> {
                    Sheet sheet = new Sheet();
                    sheet.folder = session.find(Folder.class, folder.id);
                    session.persist(sheet);
                    sheet.folder.sheets.put(label, sheet);
                }));
    }

    @Test
    void anAssociationByAFormulaIsRead() {
        Folder folder = saved(new Folder(), SHARD);
        Label label = label(SHARD);
        Sheet sheet = new Sheet();
        sessions.inTransaction(session -> {
            sheet.folder = session.find(Folder.class, folder.id);
            session.persist(sheet);
            sheet.folder.sheets.put(label, sheet);
        });
        sessions.inTransaction(session -> {
            Label computed = session.find(Sheet.class, sheet.id).computed;
            assertThat(computed).isNotNull();
            assertThat(computed.id).isEqualTo(label.id);
        });
    }

    @Test
    void plainNumbersMayBeIdsOfAnotherShard() {
        Folder folder = new Folder();
        folder.numbers.addAll(List.of(Objects.requireNonNull(label(OTHER).id)));
        saved(folder, SHARD);
        sessions.inTransaction(session ->
                assertThat(session.find(Folder.class, folder.id).numbers).hasSize(1));
    }
}
