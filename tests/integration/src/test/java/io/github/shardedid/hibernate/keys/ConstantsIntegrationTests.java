package io.github.shardedid.hibernate.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.ShardKeys;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import java.io.File;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.query.criteria.HibernateCriteriaBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ids and shard keys in the text of HQL, and inlined by criteria, decide as parameters do. */
@Tag("quick")
class ConstantsIntegrationTests extends WithKeyedCluster {
    private static final int SHARD = 6;
    private static final int OTHER = 2;

    private static final long NO_ID = 17;

    private static void inEachScope(SessionFactory factory, Function<Session, Object> query, Object expected) {
        assertThat(factory.<Object>fromTransaction(query)).as("no scope").isEqualTo(expected);
        for (Target scope : List.of(Target.shard(OTHER), Target.shard(SHARD), Target.global())) {
            // Twice: the second time the statement is known already.
            for (int i = 0; i < 2; i++) {
                assertThat(factory.<Object>fromTransaction(
                                session -> ShardContext.call(scope, () -> query.apply(session))))
                        .as(String.valueOf(scope))
                        .isEqualTo(expected);
            }
        }
    }

    private static void inEachScope(Function<Session, Object> query, Object expected) {
        inEachScope(cluster.sessions, query, expected);
    }

    private static <E extends Keyed> E saved(E made, String note) {
        made.note = note;
        return cluster.saved(made, SHARD);
    }

    @Test
    void queriesInHql() {
        ByText text = saved(new ByText(), "of a text");
        ByNumber number = saved(new ByNumber(), "of a number");
        for (String condition : List.of(
                "ByText r where r.id = " + text.id,
                "ByText r where " + text.id + "L = r.id",
                "ByText r where r.id in (" + text.id + ", " + cluster.newId(1) + ")",
                "ByText r where r.id in (" + text.id + ", " + NO_ID + ")",
                "ByText r where r.tenant = '" + text.tenant + "' and r.id = " + text.id,
                "ByText r where r.note = 'of a text' and r.tenant in ('" + text.tenant + "')")) {
            inEachScope(
                    session -> session.createSelectionQuery("select r.note from " + condition, String.class)
                            .getResultList(),
                    List.of("of a text"));
        }
        inEachScope(
                session -> session.createSelectionQuery(
                                "select r.note from ByNumber r where r.tenant = " + number.tenant, String.class)
                        .getResultStream()
                        .distinct()
                        .toList(),
                List.of("of a number"));
        inEachScope(
                session -> session.createSelectionQuery(
                                "select r.note from ByText r where r.id in (:id, " + cluster.newId(4) + ")",
                                String.class)
                        .setParameter("id", text.id)
                        .getResultList(),
                List.of("of a text"));
    }

    /** Hibernate keeps the text of a statement without its constants. */
    @Test
    void changesAreRefused() {
        ByText text = saved(new ByText(), "of a text");
        for (String statement : List.of(
                "update ByText r set r.note = 'x' where r.id = " + text.id,
                "update ByText r set r.note = 'x' where r.id in (" + text.id + ")",
                "update ByText r set r.note = 'x' where r.tenant = '" + text.tenant + "'",
                "update ByText r set r.note = 'x' where r.note = 'y' or r.tenant = '" + text.tenant + "'",
                "delete from ByText r where r.id = " + text.id)) {
            // Twice: the second time the statement would be known already.
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> cluster.sessions.inTransaction(
                                session -> ShardContext.run(SHARD, () -> session.createMutationQuery(statement)
                                        .executeUpdate())))
                        .as(statement)
                        .isInstanceOf(NoShardException.class)
                        .hasMessageContaining("Pass it as a parameter");
            }
        }
        inEachScope(
                session -> session.createMutationQuery("update ByText r set r.note = :note where r.id = " + text.id)
                        .setParameter("note", "by a parameter")
                        .executeUpdate(),
                1);
    }

    @Test
    void theScopeOfSeveralShardsRemainsForLists() {
        ByText text = saved(new ByText(), "of a text");
        for (String condition : List.of("r.id = " + text.id, "r.id in (" + text.id + ", " + cluster.newId(1) + ")")) {
            cluster.sessions.inTransaction(session -> assertThat(ShardContext.<List<String>>call(
                            ShardSet.of(Set.of(OTHER, 3)), () -> session.createSelectionQuery(
                                            "select r.note from ByText r where " + condition, String.class)
                                    .getResultList()))
                    .isEqualTo(condition.contains("in") ? List.of() : List.of("of a text")));
        }
    }

    @Test
    void criteriaWithLiterals() {
        criteria(cluster.sessions, true);
    }

    @Test
    void criteriaThatInlinesItsValues() {
        try (SessionFactory inline = cluster.configuration()
                .setProperty("hibernate.criteria.value_handling_mode", "inline")
                .buildSessionFactory()) {
            criteria(inline, false);
        }
    }

    private static void criteria(SessionFactory factory, boolean literals) {
        ByText row = saved(new ByText(), "of criteria");
        for (boolean byId : new boolean[] {true, false}) {
            Object value = Objects.requireNonNull(byId ? row.id : row.tenant);
            inEachScope(
                    factory,
                    session -> selected(session, byId ? "id" : "tenant", value, row, literals),
                    List.of("of criteria"));
        }
    }

    private static List<String> selected(Session session, String attribute, Object value, Keyed row, boolean literals) {
        HibernateCriteriaBuilder builder = session.getCriteriaBuilder();
        CriteriaQuery<String> query = builder.createQuery(String.class);
        Root<ByText> root = query.from(ByText.class);
        query.select(root.get("note"))
                .where(
                        literals
                                ? builder.equal(root.get(attribute), builder.literal(value))
                                : builder.equal(root.get(attribute), value),
                        builder.equal(root.get("note"), builder.literal(row.note)));
        List<String> found = session.createQuery(query).getResultList();
        query.where(
                literals
                        ? root.get(attribute).in(builder.literal(value))
                        : root.get(attribute).in(value),
                builder.equal(root.get("note"), builder.literal(row.note)));
        assertThat(session.createQuery(query).getResultList()).isEqualTo(found);
        return Stream.concat(found.stream(), session.createQuery(query).getResultStream())
                .distinct()
                .toList();
    }

    /** A constant of Java in the text of HQL. */
    @Test
    void constantsOfJava() {
        String constant = "java.io.File.pathSeparator";
        int shard = ShardKeys.shardOf(File.pathSeparator, KeyedCluster.SHARDS);
        ByText row = new ByText();
        row.id = cluster.newId(shard);
        row.tenant = File.pathSeparator;
        row.note = "of a constant";
        cluster.sessions.inTransaction(session -> session.persist(row));
        for (int scope = 0; scope < KeyedCluster.SHARDS; scope++) {
            int at = scope;
            cluster.sessions.inTransaction(session -> ShardContext.run(at, () -> {
                assertThat(session.createSelectionQuery(
                                        "select r.note from ByText r where r.tenant = " + constant, String.class)
                                .getResultList())
                        .containsExactly("of a constant");
            }));
        }
    }
}
