package io.github.shardedid.libraries;

import static io.github.shardedid.libraries.RunningLibraries.bean;
import static io.github.shardedid.libraries.RunningLibraries.databaseOf;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.hibernate.KeyRows.ReferringRows;
import io.github.shardedid.hibernate.KeyRows.Report;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.envers.AuditReader;
import org.hibernate.envers.AuditReaderFactory;
import org.hibernate.envers.RevisionType;
import org.hibernate.envers.query.AuditEntity;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;

/** Hibernate Envers, with audit tables and revisions in each shard. */
class EnversIntegrationTests {
    private static <T> T inTransaction(Function<EntityManager, T> work) {
        EntityManager entities = org.springframework.orm.jpa.SharedEntityManagerCreator.createSharedEntityManager(
                bean(EntityManagerFactory.class));
        return requireNonNull(bean(TransactionTemplate.class).execute(status -> work.apply(entities)));
    }

    private static void change(long id, Consumer<Album> change) {
        inTransaction(entities -> {
            Album album = entities.find(Album.class, id);
            change.accept(album);
            return album;
        });
    }

    private static <T> T read(Function<AuditReader, T> work) {
        return inTransaction(entities -> work.apply(AuditReaderFactory.get(entities)));
    }

    private static List<Number> revisions(long id) {
        return read(reader -> reader.getRevisions(Album.class, id));
    }

    private static String titleAt(long id, Number revision) {
        return read(reader -> reader.find(Album.class, id, revision).title());
    }

    /** An album in a shard, with a picture and a tag, whose title is changed then. */
    private static long albumIn(int shard) {
        long id = ShardContext.call(
                shard,
                () -> inTransaction(entities -> {
                    Album album = new Album("first in " + shard);
                    album.tags().add("sea");
                    album.pictures().add(new Picture(album, "waves"));
                    entities.persist(album);
                    return requireNonNull(album.id);
                }));
        change(id, album -> album.title = "second in " + shard);
        return id;
    }

    private static List<String> query(int shard, String sql) {
        return databaseOf(shard).query(sql.replace("$.", "shard_000" + shard + "."));
    }

    @Test
    void auditsInTheShardOfTheRow() {
        long id = albumIn(6);

        assertThat(query(6, "SELECT title FROM $.album_aud WHERE id = " + id + " ORDER BY rev"))
                .containsExactly("first in 6", "second in 6");
        assertThat(query(6, "SELECT tags FROM $.album_tags_aud WHERE album_id = " + id))
                .containsExactly("sea");
        assertThat(query(6, "SELECT caption_mod FROM $.picture_aud WHERE album_id = " + id))
                .containsExactly("t");
        for (int other = 0; other < 8; other++) {
            assertThat(query(other, "SELECT count(*) FROM $.album_aud WHERE title LIKE '% in 6'"))
                    .containsExactly(other == 6 ? "2" : "0");
        }
    }

    @Test
    void auditRowsOfErasedRowsAreReportedAndStay() throws IOException {
        String live = "SELECT p::text FROM $.picture p UNION ALL SELECT a::text FROM $.album a UNION ALL SELECT t::text"
                + " FROM $.album_tags t ORDER BY 1";
        String audits = "SELECT a::text FROM $.album_aud a UNION ALL SELECT t::text FROM $.album_tags_aud t UNION ALL"
                + " SELECT p::text FROM $.picture_aud p ORDER BY 1";
        List<String> others = query(3, live);
        long id = albumIn(3);
        List<String> all = query(3, live);
        List<String> audited = query(3, audits);
        KeyRows rows = KeyRows.of(bean(EntityManagerFactory.class).unwrap(SessionFactory.class))
                .orElseThrow();
        StringBuilder lines = new StringBuilder();
        rows.export(Album.class, id, lines);
        long revisions = Long.parseLong(
                query(3, "SELECT count(*) FROM $.album_aud WHERE id = " + id).get(0));
        Report erased = rows.erase(Album.class, id);
        assertThat(erased.rows()).isEqualTo(all.size() - others.size()).isGreaterThan(2);
        assertThat(erased.referring())
                .contains(new ReferringRows("album_aud (id)", revisions, false))
                .noneMatch(ReferringRows::obstacle)
                .anyMatch(each -> each.columns().equals("picture_aud (id)"));
        assertThat(query(3, live)).isEqualTo(others);
        assertThat(query(3, audits)).isEqualTo(audited);
        rows.restore(new StringReader(lines.toString()));
        assertThat(query(3, live)).isEqualTo(all);
    }

    @Test
    void readsByIdWithoutAScope() {
        long id = albumIn(5);
        List<Number> revisions = revisions(id);

        assertThat(revisions).hasSize(2);
        assertThat(titleAt(id, revisions.get(0))).isEqualTo("first in 5");
        List<?> albums = read(reader -> reader.createQuery()
                .forRevisionsOfEntity(Album.class, true, true)
                .add(AuditEntity.id().eq(id))
                .getResultList());
        assertThat(albums).extracting(album -> ((Album) album).title()).containsExactly("first in 5", "second in 5");
    }

    @Test
    void readsByIdAlsoInTheScopeOfAnotherShard() {
        long id = albumIn(5);
        ShardContext.run(2, () -> {
            List<Number> revisions = revisions(id);
            assertThat(revisions).hasSize(2);
            assertThat(titleAt(id, revisions.get(1))).isEqualTo("second in 5");
            Revision found = read(reader -> reader.findRevision(Revision.class, revisions.get(1)));
            assertThat(found.id).isEqualTo(revisions.get(1));
        });
    }

    @Test
    void collectionsOfHistoricEntitiesAreReadInTheirShard() {
        long id = albumIn(5);
        ShardContext.run(
                2,
                () -> read(reader -> {
                    Album first = reader.find(
                            Album.class,
                            id,
                            reader.getRevisions(Album.class, id).get(0));
                    assertThat(first.tags()).isEqualTo(Set.of("sea"));
                    assertThat(first.pictures()).extracting(Picture::caption).containsExactly("waves");
                    assertThat(requireNonNull(first.pictures().get(0).album()).title())
                            .isEqualTo("first in 5");
                    return first;
                }));
    }

    @Test
    void severalShardsAreReadInOneSession() {
        long one = albumIn(1);
        long other = albumIn(7);
        List<String> titles = read(reader -> List.of(one, other).stream()
                .map(id -> reader.find(
                                Album.class,
                                id,
                                reader.getRevisions(Album.class, id).get(0))
                        .title())
                .toList());
        assertThat(titles).containsExactly("first in 1", "first in 7");
    }

    @Test
    void modifiedFlagsAndDeletesAreRead() {
        long id = albumIn(3);
        long picture = inTransaction(entities ->
                requireNonNull(entities.find(Album.class, id).pictures().get(0).id));
        change(id, album -> album.pictures().get(0).caption = "storm");
        change(id, album -> album.pictures().clear());
        List<?> changes = read(reader -> reader.createQuery()
                .forRevisionsOfEntity(Picture.class, false, true)
                .add(AuditEntity.id().eq(picture))
                .getResultList());

        assertThat(changes)
                .extracting(row -> ((Object[]) row)[2])
                .containsExactly(RevisionType.ADD, RevisionType.MOD, RevisionType.DEL);
        assertThat(query(3, "SELECT revtype, caption_mod FROM $.picture_aud WHERE id = " + picture + " ORDER BY rev"))
                .hasSize(3);
    }

    @Test
    void aRevisionNamesItsShard() {
        long id = albumIn(4);
        Number revision = read(reader -> reader.getRevisions(Album.class, id).get(1));
        Instant time = read(reader -> reader.getRevisionDate(revision).toInstant());
        List<?> changed = read(reader -> reader.createQuery()
                .forEntitiesModifiedAtRevision(Album.class, revision)
                .getResultList());

        assertThat(time).isBeforeOrEqualTo(Instant.now());
        assertThat(changed).extracting(album -> ((Album) album).title()).containsExactly("second in 4");
        long other = albumIn(2);
        List<?> none = read(reader -> reader.createQuery()
                .forEntitiesModifiedAtRevision(Album.class, revision)
                .add(AuditEntity.id().eq(other))
                .getResultList());
        assertThat(none).isEmpty();
    }

    @Test
    void queriesWithoutIdNeedAScope() {
        albumIn(0);
        assertThatThrownBy(() -> read(reader -> reader.createQuery()
                        .forRevisionsOfEntity(Album.class, true, true)
                        .getResultList()))
                .isInstanceOf(NoShardException.class);
        assertThatThrownBy(() -> read(reader -> reader.getRevisionNumberForDate(Instant.now())))
                .isInstanceOf(NoShardException.class);

        ShardContext.run(0, () -> {
            Number last = read(reader -> reader.getRevisionNumberForDate(Instant.now()));
            List<?> albums = read(reader -> reader.createQuery()
                    .forEntitiesAtRevision(Album.class, last)
                    .getResultList());
            assertThat(albums).extracting(album -> ((Album) album).title()).containsExactly("second in 0");
        });
    }

    @Test
    void aTransactionOverTwoShardsIsRefusedAndAuditsNothing() {
        long one = albumIn(1);
        long other = albumIn(5);
        int before = revisions(one).size();
        assertThatThrownBy(() -> inTransaction(entities -> {
                    entities.find(Album.class, one).title = "both";
                    entities.find(Album.class, other).title = "both";
                    return one;
                }))
                .isInstanceOf(SecondWriteShardException.class);
        assertThat(revisions(one)).hasSize(before);
    }

    @Test
    void statelessSessionsAuditInTheShardOfTheRow() {
        long id = albumIn(7);
        bean(EntityManagerFactory.class).unwrap(SessionFactory.class).inStatelessTransaction(session -> {
            Album album = session.get(Album.class, id);
            album.title = "third in 7";
            session.update(album);
        });
        assertThat(query(7, "SELECT title FROM $.album_aud WHERE id = " + id + " ORDER BY rev"))
                .containsExactly("first in 7", "second in 7", "third in 7");
    }
}
