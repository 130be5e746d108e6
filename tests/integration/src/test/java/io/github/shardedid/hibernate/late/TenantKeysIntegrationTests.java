package io.github.shardedid.hibernate.late;

import static io.github.shardedid.hibernate.late.BillsCluster.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.late.Bills.Bill;
import io.github.shardedid.hibernate.late.Bills.Defaulted;
import io.github.shardedid.hibernate.late.Bills.Embedding;
import io.github.shardedid.hibernate.late.Bills.EmbeddingId;
import io.github.shardedid.hibernate.late.Bills.Numbered;
import io.github.shardedid.hibernate.late.Bills.NumberedId;
import io.github.shardedid.hibernate.late.Bills.Own;
import io.github.shardedid.hibernate.late.Bills.Placed;
import io.github.shardedid.hibernate.late.Bills.Row;
import io.github.shardedid.routing.WrongShardException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.hibernate.ReplicationMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Hibernate sets the id of the session's tenant when it inserts the row. As a shard key, it names the shard of the id, or the row is refused. */
class TenantKeysIntegrationTests {
    private static final int HERE = 1;
    private static final int ELSEWHERE = 6;

    private static BillsCluster bills;
    private static SessionFactory sessions;

    static final List<Supplier<Row>> WITH_ID = List.of(Bill::new, Placed::new);
    static final List<Supplier<Row>> GENERATED = List.of(Bill::new, Placed::new, Defaulted::new);

    private static final Map<String, BiConsumer<Session, Row>> WAYS = Map.of(
            "persist", Session::persist,
            "merge", Session::merge,
            "replicate", TenantKeysIntegrationTests::replicate);

    private static final Map<String, BiConsumer<StatelessSession, Row>> STATELESS_WAYS = Map.of(
            "insert",
            StatelessSession::insert,
            "insertMultiple",
            (session, row) -> session.insertMultiple(List.of(row)),
            "upsert",
            StatelessSession::upsert,
            "upsertMultiple",
            (session, row) -> session.upsertMultiple(List.of(row)));

    @SuppressWarnings("deprecation") // as long as Hibernate has it
    private static void replicate(Session session, Row row) {
        session.replicate(row, ReplicationMode.OVERWRITE);
    }

    /** The root tenant may write the rows of others. */
    private static final class Tenants implements CurrentTenantIdentifierResolver<String> {
        @Override
        public String resolveCurrentTenantIdentifier() {
            return root();
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return false;
        }

        @Override
        public boolean isRoot(String tenant) {
            return tenant.equals(root());
        }
    }

    private static String root() {
        return tenant(4);
    }

    @BeforeAll
    static void start() {
        bills = new BillsCluster();
        var configuration = bills.configuration(Bills.OF_TENANTS);
        configuration.setCurrentTenantIdentifierResolver(new Tenants());
        sessions = configuration.buildSessionFactory();
    }

    @AfterAll
    static void stop() {
        sessions.close();
        bills.close();
    }

    @AfterEach
    void noConnectionIsLeaked() {
        assertThat(bills.databases.activeConnections()).isZero();
    }

    private static void as(String tenant, BiConsumer<Session, Row> way, Row row) {
        try (Session session =
                sessions.withOptions().tenantIdentifier((Object) tenant).openSession()) {
            session.beginTransaction();
            way.accept(session, row);
            session.getTransaction().commit();
        }
    }

    private static void stateless(String tenant, BiConsumer<StatelessSession, Row> way, Row row) {
        try (StatelessSession session = sessions.withStatelessOptions()
                .tenantIdentifier((Object) tenant)
                .openStatelessSession()) {
            session.beginTransaction();
            way.accept(session, row);
            session.getTransaction().commit();
        }
    }

    private static String table(Row row) {
        return row.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }

    private static Row make(Supplier<Row> kind, int shard) {
        Row row = kind.get();
        row.id(bills.newId(shard));
        return row;
    }

    private static void refused(String way, Row row, Runnable work) {
        List<String> before = bills.rows(table(row));
        assertThatThrownBy(work::run)
                .as(way)
                .hasStackTraceContaining(WrongShardException.class.getName())
                .hasStackTraceContaining("tenant = ");
        assertThat(bills.rows(table(row))).as(way).isEqualTo(before);
    }

    @ParameterizedTest
    @FieldSource("WITH_ID")
    void aPresetIdOfAnotherShardThanTheTenantsIsRefused(Supplier<Row> kind) {
        for (String tenant : List.of(tenant(ELSEWHERE), root())) {
            WAYS.forEach((name, way) -> {
                Row row = make(kind, HERE);
                refused(name, row, () -> as(tenant, way, row));
            });
            STATELESS_WAYS.forEach((name, way) -> {
                Row row = make(kind, HERE);
                refused(name, row, () -> stateless(tenant, way, row));
            });
        }
    }

    @ParameterizedTest
    @FieldSource("WITH_ID")
    void aPresetIdOfTheTenantsShardIsStored(Supplier<Row> kind) {
        for (int shard : new int[] {HERE, 4}) {
            WAYS.forEach((name, way) -> {
                Row row = make(kind, shard);
                as(tenant(shard), way, row);
                stored(name, row, shard);
            });
            STATELESS_WAYS.forEach((name, way) -> {
                Row row = make(kind, shard);
                stateless(tenant(shard), way, row);
                stored(name, row, shard);
            });
        }
    }

    /** Some releases of Hibernate leave the tenant out of an upsert. */
    private static void stored(String way, Row row, int shard) {
        String tenant = way.startsWith("upsert") ? "" : "\"" + tenant(shard) + "\"";
        assertThat(bills.rows(table(row)))
                .as(way)
                .filteredOn(each -> each.startsWith(shard + ": (" + row.id() + "," + tenant))
                .hasSize(1);
    }

    /** Hibernate ignores the id in some of these ways. */
    @Test
    void aPresetIdBesideTheColumnsDefaultIsRefusedOrNotUsed() {
        WAYS.forEach((name, way) -> {
            Row row = make(Defaulted::new, HERE);
            where(row, () -> as(tenant(ELSEWHERE), way, row));
        });
        STATELESS_WAYS.forEach((name, way) -> {
            Row row = make(Defaulted::new, HERE);
            where(row, () -> stateless(tenant(ELSEWHERE), way, row));
        });
    }

    @Test
    void theRootTenantWritesTheRowsOfOthersInTheirShards() {
        Bill bill = (Bill) make(Bill::new, HERE);
        bill.tenant = tenant(ELSEWHERE);
        refused("persist", bill, () -> as(root(), Session::persist, bill));
        refused("insert", bill, () -> stateless(root(), StatelessSession::insert, bill));
        bill.tenant = tenant(HERE);
        as(root(), Session::persist, bill);
        stored("persist", bill, HERE);
    }

    @Test
    void aDetachedRowWithoutItsTenantIsMerged() {
        Bill bill = (Bill) make(Bill::new, HERE);
        as(tenant(HERE), Session::persist, bill);
        Bill detached = new Bill();
        detached.id = bill.id;
        detached.words = "merged";
        as(tenant(HERE), Session::merge, detached);
        assertThat(bills.rows("bill")).contains(HERE + ": (" + bill.id + ",\"" + tenant(HERE) + "\",merged)");
    }

    @ParameterizedTest
    @FieldSource("GENERATED")
    void withoutAnIdTheTenantNamesTheShard(Supplier<Row> kind) {
        Row row = kind.get();
        as(tenant(ELSEWHERE), Session::persist, row);
        assertThat(bills.databases.cluster().shardOf((Long) Objects.requireNonNull(row.id())))
                .isEqualTo(ELSEWHERE);
        Row other = kind.get();
        stateless(tenant(ELSEWHERE), StatelessSession::insert, other);
        assertThat(bills.databases.cluster().shardOf((Long) Objects.requireNonNull(other.id())))
                .isEqualTo(ELSEWHERE);
    }

    @Test
    void aTenantInTheIdNamesTheShard() {
        Map<Row, Object> rows = Map.of(
                new Numbered(), new NumberedId(1L, null),
                new Embedding(), new EmbeddingId(1L, null));
        rows.forEach((row, id) -> {
            row.id(id);
            where(row, () -> as(tenant(ELSEWHERE), Session::persist, row));
        });
        Map<Row, Object> others = Map.of(
                new Numbered(), new NumberedId(2L, null),
                new Embedding(), new EmbeddingId(2L, null));
        others.forEach((row, id) -> {
            row.id(id);
            where(row, () -> stateless(tenant(ELSEWHERE), StatelessSession::insert, row));
        });
        for (Row row : List.of(new Own(), new Own())) {
            row.id(UUID.randomUUID());
            where(row, () -> as(tenant(ELSEWHERE), Session::persist, row));
        }
    }

    /** Stored in the shard of the tenant, or refused. */
    private static void where(Row row, Runnable write) {
        try {
            write.run();
        } catch (RuntimeException e) {
            assertThat(e).hasStackTraceContaining("the shard key");
        }
        assertThat(bills.rows(table(row)))
                .filteredOn(each -> each.contains(tenant(ELSEWHERE)))
                .allMatch(each -> each.startsWith(ELSEWHERE + ": "));
    }
}
