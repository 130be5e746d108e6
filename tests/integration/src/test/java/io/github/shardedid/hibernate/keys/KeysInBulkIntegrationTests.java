package io.github.shardedid.hibernate.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.keys.KeyedCluster.Kind;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.WrongShardException;
import jakarta.persistence.criteria.CriteriaUpdate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.hibernate.Session;
import org.hibernate.query.MutationQuery;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An update by HQL or criteria does not set a shard key, since nobody sees which shard the value says. */
@Tag("quick")
class KeysInBulkIntegrationTests extends WithKeyedCluster {
    private static final int SHARD = 3;

    private static int changed(Function<Session, MutationQuery> query) {
        return ShardContext.call(
                SHARD,
                () -> cluster.sessions.fromTransaction(
                        session -> query.apply(session).executeUpdate()));
    }

    private static void refused(String attribute, Function<Session, MutationQuery> query) {
        refused("sets the shard key", attribute, query);
    }

    private static void refused(String why, String attribute, Function<Session, MutationQuery> query) {
        long before = cluster.sessions.getStatistics().getPrepareStatementCount();
        // Twice: the second time the statement is known already.
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> changed(query))
                    .isInstanceOf(WrongShardException.class)
                    .hasMessageContaining(why)
                    .hasMessageContaining(attribute);
        }
        assertThat(cluster.sessions.getStatistics().getPrepareStatementCount()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ByNumber.tenant|update ByNumber r set r.tenant = 4",
                "ByNumber.tenant|update ByNumber set note = 'x', tenant = tenant + 1 where id = 5",
                "ByText.tenant|update ByText r set r.tenant = 'x'",
                "ByReference.tenant|update ByReference r set r.tenant = r.id",
                "ByPlace.place.district|update ByPlace r set r.place.district = 'x'",
                "Contract.tenant|update Contract r set r.tenant = r.tenant",
                "Contract.tenant|update Contract r set r.partner = 'x', r.tenant = r.tenant",
                "Paper.tenant|update Paper r set r.tenant = r.tenant",
                "Delivery.ends.recipient|update Delivery d set d.ends.recipient = d.ends.sender",
                "Delivery.ends.recipient|update Delivery d set d.ends.recipient.id = 5"
            })
    void anUpdateOfTheKey(String attribute, String hql) {
        refused(attribute, session -> session.createMutationQuery(hql));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ByNumber.id|update ByNumber set id = id + 1024",
                "ByNumber.id|update ByNumber r set r.id = null",
                "ByNumber.id|update ByNumber r set r.note = 'x', r.id = :id",
                "Contract.id|update Contract r set r.id = 5",
                "Paper.id|update Paper r set r.id = 5"
            })
    void anUpdateOfTheId(String id, String hql) {
        refused("sets the id", id, session -> {
            MutationQuery query = session.createMutationQuery(hql);
            return hql.contains(":id") ? query.setParameter("id", 5L) : query;
        });
    }

    @Test
    void anUpdateOfTheIdByCriteria() {
        refused("sets the id", "ByNumber.id", session -> {
            CriteriaUpdate<ByNumber> update = session.getCriteriaBuilder().createCriteriaUpdate(ByNumber.class);
            update.from(ByNumber.class);
            return session.createMutationQuery(update.set("id", 4L));
        });
    }

    @Test
    void anUpdateOfTheEmbeddableThatTheKeyIsIn() {
        refused("ByPlace.place.district", session -> session.createMutationQuery(
                        "update ByPlace r set r.place = :place")
                .setParameter("place", new ByPlace.Place("a street", "x")));
    }

    @Test
    void anUpdateByParameterOrCriteria() {
        refused("ByNumber.tenant", session -> session.createMutationQuery("update ByNumber set tenant = :tenant")
                .setParameter("tenant", 4L));
        refused("ByNumber.tenant", session -> {
            CriteriaUpdate<ByNumber> update = session.getCriteriaBuilder().createCriteriaUpdate(ByNumber.class);
            update.from(ByNumber.class);
            return session.createMutationQuery(update.set("tenant", 4L));
        });
        refused("Contract.tenant", session -> {
            CriteriaUpdate<Paper.Contract> update =
                    session.getCriteriaBuilder().createCriteriaUpdate(Paper.Contract.class);
            update.from(Paper.Contract.class);
            return session.createMutationQuery(update.set("tenant", new UUID(0, 1)));
        });
    }

    @Test
    void whatSaysNoShardAndWhatIsNoKeyMayBeSet() {
        Keyed number = cluster.saved(Kind.NUMBER.make(null, SHARD), SHARD);
        Keyed place = cluster.saved(Kind.EMBEDDABLE.make(null, SHARD), SHARD);
        Keyed contract = cluster.saved(Kind.SUBCLASS.make(null, SHARD), SHARD);
        Map<String, Keyed> statements = Map.of(
                "update ByNumber r set r.note = 'bulk', r.tenant = null where r.id = :id",
                number,
                "update ByPlace r set r.note = 'bulk', r.place.street = 'another' where r.id = :id",
                place,
                "update Contract r set r.note = 'bulk', r.partner = 'one' where r.id = :id",
                contract);
        statements.forEach((hql, row) -> {
            assertThat(changed(session -> session.createMutationQuery(hql).setParameter("id", row.id)))
                    .isOne();
            String note = cluster.sessions.fromTransaction(session -> session.find(row.getClass(), row.id).note);
            assertThat(note).isEqualTo("bulk");
        });
        assertThat(changed(session -> session.createMutationQuery("delete Contract r where r.id = :id")
                        .setParameter("id", contract.id)))
                .isOne();
    }

    /** The limit that docs/guarantees.md names. */
    @Test
    void whatIsSetBySqlIsNotLookedAt() {
        cluster.saved(new ByNumber(), SHARD);
        changed(session -> session.createNativeMutationQuery("update {h-schema}by_number set tenant = 5"));
        List<String> tenants = cluster.databases.home(SHARD).query("SELECT tenant FROM shard_0003.by_number");
        assertThat(tenants).contains("5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ByNumber|insert into ByNumber (id, tenant) values (3072, 3)",
                "ByNumber|insert into ByNumber (id, tenant) values (5, 5) on conflict (id) do update set note = 'x'",
                "ByNumber|insert into ByNumber (tenant) select r.tenant from ByNumber r",
                "Contract|insert into Contract (id, partner) values (3072, 'one')"
            })
    void anInsert(String entity, String hql) {
        refused("An insert statement writes rows of", entity, session -> session.createMutationQuery(hql));
    }
}
