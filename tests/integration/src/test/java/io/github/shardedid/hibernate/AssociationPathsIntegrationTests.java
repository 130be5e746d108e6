package io.github.shardedid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.Folders.Folder;
import io.github.shardedid.hibernate.Folders.Label;
import io.github.shardedid.hibernate.Folders.Mark;
import io.github.shardedid.hibernate.Folders.Sheet;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.test.TestCluster;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hibernate.Hibernate;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.PhysicalNamingStrategySnakeCaseImpl;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
                        folder -> folder.pairs.keySet().iterator().next()));
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
                .hasStackTraceContaining(WrongShardException.class.getName())
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

    @Test
    void anAssociationToAnyRowIsRefusedAtStart() {
        assertThatThrownBy(() -> configuration()
                        .addAnnotatedClasses(Folders.ENTITIES)
                        .addAnnotatedClass(Folders.OfAny.class)
                        .buildSessionFactory()
                        .close())
                .hasStackTraceContaining("OfAny has an @Any or @ManyToAny")
                .hasStackTraceContaining("Map a @ManyToOne for each");
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
