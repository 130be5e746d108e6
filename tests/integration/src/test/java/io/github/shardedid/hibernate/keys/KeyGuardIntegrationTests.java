package io.github.shardedid.hibernate.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.keys.KeyedCluster.Kind;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import java.util.List;
import java.util.Objects;
import org.hibernate.ReplicationMode;
import org.hibernate.Session;
import org.hibernate.StatelessSession;
import org.hibernate.query.CommonQueryContract;
import org.hibernate.query.MutationQuery;
import org.hibernate.query.SelectionQuery;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A row whose shard key says another shard than its id is refused before it is sent, however it is written. */
class KeyGuardIntegrationTests extends WithKeyedCluster {
    private static final int HERE = 1;
    private static final int SAME_DATABASE = 2;
    private static final int ELSEWHERE = 6;

    /** What is done with a row; what is to be sent is sent by a flush. */
    @FunctionalInterface
    private interface Writing {
        void with(Session session, Keyed row);
    }

    @FunctionalInterface
    private interface StatelessWriting {
        void with(StatelessSession session, Keyed row);
    }

    @ParameterizedTest
    @EnumSource
    void aNewRowWithAPresetId(Kind kind) {
        flushed(kind, false, Session::persist);
        flushed(kind, false, Session::merge);
    }

    @ParameterizedTest
    @EnumSource
    void aDetachedRowWithAChangedKey(Kind kind) {
        flushed(kind, true, Session::merge);
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("deprecation") // as long as Hibernate has it
    void aReplicatedRow(Kind kind) {
        flushed(kind, false, (session, row) -> session.replicate(row, ReplicationMode.OVERWRITE));
        flushed(kind, true, (session, row) -> session.replicate(row, ReplicationMode.OVERWRITE));
    }

    @ParameterizedTest
    @EnumSource
    void aManagedRowWhoseKeyChanges(Kind kind) {
        Keyed saved = cluster.saved(kind.make(null, HERE), HERE);
        for (int shard : new int[] {SAME_DATABASE, ELSEWHERE}) {
            String before = cluster.rows(kind.table);
            refused(
                    kind,
                    () -> cluster.sessions.inTransaction(session -> {
                        Keyed found = session.find(saved.getClass(), saved.id);
                        found.key(shard);
                        nothingSent(session::flush);
                    }));
            assertThat(cluster.rows(kind.table)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aNewRowWhoseKeyChangesAfterItsIdWasMade(Kind kind) {
        String before = cluster.rows(kind.table);
        refused(
                kind,
                () -> cluster.sessions.inTransaction(session -> {
                    Keyed row = kind.make(null, HERE);
                    session.persist(row);
                    row.key(ELSEWHERE);
                    nothingSent(session::flush);
                }));
        assertThat(cluster.rows(kind.table)).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void aRowOfAStatelessSession(Kind kind) {
        stateless(kind, false, StatelessSession::insert);
        stateless(kind, true, StatelessSession::update);
        stateless(kind, false, StatelessSession::upsert);
        stateless(kind, true, StatelessSession::upsert);
    }

    @ParameterizedTest
    @EnumSource
    void aKeyOfTheIdsShardOrNoneIsNotRefused(Kind kind) {
        for (Integer keyOf : new @Nullable Integer[] {HERE, null}) {
            Keyed row = kind.make(cluster.newId(HERE), keyOf);
            cluster.sessions.inTransaction(session -> session.persist(row));
            cluster.sessions.inTransaction(
                    session -> session.find(row.getClass(), row.id).key(null));
            cluster.sessions.inTransaction(
                    session -> session.find(row.getClass(), row.id).key(HERE));
            row.key(keyOf);
            cluster.sessions.inTransaction(session -> session.merge(row));
            cluster.sessions.inStatelessTransaction(session -> session.update(row));
            cluster.sessions.inStatelessTransaction(session -> session.upsert(row));
            assertThat(cluster.databases.idsIn(HERE, kind.table)).contains(row.id);
        }
    }

    /** As SQL may have left it: whoever finds it by its id can change it, and mend it. */
    @Test
    void aRowThatIsWrongAlreadyCanBeChangedAndMended() {
        long id = cluster.newId(HERE);
        cluster.databases.home(HERE).execute("INSERT INTO shard_0001.by_number VALUES (" + id + ", 'sql', 6)");
        cluster.sessions.inTransaction(session -> session.find(ByNumber.class, id).note = "changed");
        refused(
                Kind.NUMBER,
                () -> cluster.sessions.inTransaction(session -> session.find(ByNumber.class, id).tenant = 14L));
        cluster.sessions.inTransaction(
                session -> session.find(ByNumber.class, id).key(HERE));
        assertThat(cluster.rows("by_number")).contains("(" + id + ",changed,9)");
    }

    @Test
    void theMessageSaysWhatIsWrongAndWhatToDo() {
        long id = cluster.newId(HERE);
        assertThatThrownBy(() ->
                        cluster.sessions.inTransaction(session -> session.persist(Kind.EMBEDDABLE.make(id, ELSEWHERE))))
                .hasMessageContainingAll(
                        "ByPlace#" + id + ": the id names shard 1",
                        "ByPlace.place.district = " + KeyedCluster.text(ELSEWHERE) + " names shard 6",
                        "give the key a value of shard 1");
    }

    @Test
    void aKeyThatSaysNoShardOfTheCluster() {
        for (long none : new long[] {-5, IdLayout.DEFAULT.encode(7, KeyedCluster.SHARDS, 7)}) {
            ByReference row = new ByReference();
            row.id = cluster.newId(HERE);
            row.tenant = none;
            assertThatThrownBy(() -> cluster.sessions.inTransaction(session -> session.persist(row)))
                    .isInstanceOf(WrongShardException.class)
                    .hasMessageContaining("names no shard of this cluster");
        }
    }

    @Test
    void aKeyWithinAnEmbeddablePlacesTheRow() {
        cluster.forEachShard(shard -> {
            Keyed row = Kind.EMBEDDABLE.make(null, shard);
            cluster.sessions.inTransaction(session -> session.persist(row));
            assertThat(cluster.databases.idsIn(shard, "by_place")).contains(row.id);
        });
        ShardRule rule = EntityShards.of(cluster.sessions)
                .flatMap(shards -> shards.byPath(ByPlace.class, "place.district"))
                .orElseThrow();
        assertThat(rule.shardOf(KeyedCluster.text(ELSEWHERE))).isEqualTo(ELSEWHERE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select r.id from ByPlace r where r.place = :given",
                "select r.id from ByPlace r where :given = r.place",
                "select r.id from ByPlace r where r.place in (:given)",
                "select d.id from Delivery d where d.ends = :given",
                "update ByPlace r set r.place.street = 'new' where r.place = :given",
            })
    void anEmbeddableWithTheKeyIsNotComparedAsAWhole(String hql) {
        for (int scope : List.of(HERE, ELSEWHERE)) {
            assertThatThrownBy(() -> ShardContext.run(
                            scope,
                            () -> cluster.sessions.inTransaction(session -> {
                                CommonQueryContract query = hql.startsWith("update")
                                        ? session.createMutationQuery(hql)
                                        : session.createSelectionQuery(hql, Long.class);
                                query.setParameter(
                                        "given",
                                        hql.contains("Delivery")
                                                ? new Delivery().ends
                                                : new ByPlace.Place("a street", KeyedCluster.text(HERE)));
                                if (query instanceof MutationQuery change) {
                                    change.executeUpdate();
                                } else {
                                    ((SelectionQuery<?>) query).list();
                                }
                            })))
                    .as(hql)
                    .hasStackTraceContaining("compared as a whole, but its shard is that of")
                    .hasStackTraceContaining(hql.contains("Delivery") ? "Delivery.ends." : "ByPlace.place.district");
        }
    }

    @Test
    void anAssociationWithinAnEmbeddablePlacesTheRowAndStaysWithinTheShard() {
        ByNumber recipient = cluster.saved(new ByNumber(), ELSEWHERE);
        ByNumber stranger = cluster.saved(new ByNumber(), HERE);
        Delivery delivery = new Delivery();
        delivery.ends.recipient = recipient;
        cluster.sessions.inTransaction(session -> session.persist(delivery));
        assertThat(cluster.databases.idsIn(ELSEWHERE, "delivery")).contains(delivery.id);
        assertThatThrownBy(() -> cluster.sessions.inTransaction(
                        session -> session.find(Delivery.class, delivery.id).ends.sender = stranger))
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining("Delivery.ends.sender");
        ShardRule rule = EntityShards.of(cluster.sessions)
                .flatMap(shards -> shards.byPath(Delivery.class, "ends.recipient.tenant"))
                .orElseThrow();
        assertThat(rule.shardOf(9L)).isEqualTo(HERE);
    }

    private static void flushed(Kind kind, boolean existing, Writing writing) {
        Keyed wrong = wrong(kind, existing);
        String before = cluster.rows(kind.table);
        refused(
                kind,
                () -> cluster.sessions.inTransaction(session -> {
                    writing.with(session, wrong);
                    nothingSent(session::flush);
                }));
        assertThat(cluster.rows(kind.table)).isEqualTo(before);
    }

    private static void stateless(Kind kind, boolean existing, StatelessWriting writing) {
        Keyed wrong = wrong(kind, existing);
        String before = cluster.rows(kind.table);
        refused(
                kind,
                () -> cluster.sessions.inStatelessTransaction(
                        session -> nothingSent(() -> writing.with(session, wrong))));
        try (StatelessSession session = cluster.sessions.openStatelessSession()) {
            refused(kind, () -> nothingSent(() -> writing.with(session, wrong)));
        }
        assertThat(cluster.rows(kind.table)).isEqualTo(before);
    }

    /** The id is of one shard, the key of another. */
    private static Keyed wrong(Kind kind, boolean existing) {
        Keyed row = kind.make(cluster.newId(HERE), ELSEWHERE);
        if (existing) {
            row.id = Objects.requireNonNull(cluster.saved(kind.make(null, HERE), HERE).id);
            row.note = "changed";
        }
        return row;
    }

    private static void refused(Kind kind, Runnable work) {
        assertThatThrownBy(work::run)
                .as(kind.name())
                .isInstanceOf(WrongShardException.class)
                .hasMessageContaining("shard key");
    }

    private static void nothingSent(Runnable work) {
        long before = cluster.sessions.getStatistics().getPrepareStatementCount();
        try {
            work.run();
        } finally {
            assertThat(cluster.sessions.getStatistics().getPrepareStatementCount())
                    .isEqualTo(before);
        }
    }
}
