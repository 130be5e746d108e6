package io.github.shardedid.hibernate.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;
import static io.github.shardedid.test.matrix.Operation.writes;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.matrix.Operation;
import jakarta.persistence.LockModeType;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaDelete;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.CriteriaUpdate;
import jakarta.persistence.criteria.Root;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.Hibernate;
import org.hibernate.ScrollMode;
import org.hibernate.ScrollableResults;
import org.hibernate.Session;
import org.hibernate.query.MutationQuery;
import org.hibernate.query.SelectionQuery;
import org.junit.jupiter.api.Tag;

/** Queries and changes that require an id by equality run in its shard. */
@Tag("quick")
class RoutedQueryMatrixIntegrationTests extends SessionMatrix {
    private static final String BY_ID = "from Memo m where m.id = :id";
    private static final String MEMO = "SELECT description FROM $.memo WHERE id = $id";

    @Override
    protected String heading() {
        return "Queries by id";
    }

    @Override
    protected List<Operation<Session>> operations() {
        return Stream.of(selecting(), streaming(), changing(), changingSeveralTables(), natively())
                .flatMap(each -> each)
                .toList();
    }

    /** Each is sent at once. */
    @Override
    protected void flush(Session session) {}

    private static Stream<Operation<Session>> selecting() {
        return Stream.of(
                reads("HQL, JPQL", "a memo", call -> call.session()
                        .createSelectionQuery("select m.description " + BY_ID, String.class)
                        .setParameter("id", call.id())
                        .getSingleResultOrNull()),
                reads("HQL, list of ids", "a memo", call -> call.session()
                        .createSelectionQuery("select m.description from Memo m where m.id in :ids", String.class)
                        .setParameterList("ids", List.of(call.id()))
                        .getSingleResultOrNull()),
                reads("HQL, array of ids", "a memo", call -> call.session()
                        .createSelectionQuery(
                                "select m.description from Memo m where array_contains(:ids, m.id)", String.class)
                        .setParameter("ids", new Long[] {call.id()})
                        .getSingleResultOrNull()),
                reads("named query", "of old", call -> call.session()
                        .createNamedQuery("Person.named", String.class)
                        .setParameter("id", call.id())
                        .getSingleResultOrNull()),
                reads("criteria", "a memo", call -> {
                    CriteriaBuilder builder = call.session().getCriteriaBuilder();
                    CriteriaQuery<Memo> query = builder.createQuery(Memo.class);
                    Root<Memo> memo = query.from(Memo.class);
                    query.where(builder.equal(memo.get("id"), call.id()));
                    return call.session()
                            .createQuery(query)
                            .getResultStream()
                            .map(each -> each.description)
                            .findFirst()
                            .orElse(null);
                }),
                reads("join fetch", 2, call -> {
                    Person person = call.session()
                            .createSelectionQuery("from Person p join fetch p.pets where p.id = :id", Person.class)
                            .setParameter("id", call.id())
                            .getSingleResultOrNull();
                    return person == null ? null : Hibernate.isInitialized(person.pets) ? person.pets.size() : "lazy";
                }),
                reads("query with an entity graph", 2, call -> {
                    var graph = call.session().createEntityGraph(Person.class);
                    graph.addAttributeNodes("pets");
                    Person person = call.session()
                            .createSelectionQuery("from Person p where p.id = :id", Person.class)
                            .setParameter("id", call.id())
                            .setHint("jakarta.persistence.fetchgraph", graph)
                            .getSingleResultOrNull();
                    return person == null ? null : Hibernate.isInitialized(person.pets) ? person.pets.size() : "lazy";
                }),
                reads("query over a hierarchy", 7, call -> call.session()
                        .createSelectionQuery("from Shape s where s.id = :id", Shape.class)
                        .setParameter("id", call.id())
                        .getResultStream()
                        .map(shape -> shape instanceof Shape.Circle circle ? circle.radius : 0)
                        .findFirst()
                        .orElse(null)),
                reads("query with a pessimistic lock", "a memo", call -> call
                        .session()
                        .createSelectionQuery(BY_ID, Memo.class)
                        .setParameter("id", call.id())
                        .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                        .getResultList()
                        .stream()
                        .map(memo -> memo.description)
                        .findFirst()
                        .orElse(null)));
    }

    private static Stream<Operation<Session>> streaming() {
        return Stream.of(
                reads("stream", "a memo", call -> {
                    try (Stream<Memo> memos = memos(call).getResultStream()) {
                        return memos.map(memo -> memo.description).findFirst().orElse(null);
                    }
                }),
                reads("stream, left open", "a memo", call -> {
                    Iterator<Memo> memos = memos(call).getResultStream().iterator();
                    return memos.hasNext() ? memos.next().description : null;
                }),
                reads("scroll", "a memo", call -> {
                    try (ScrollableResults<Memo> memos = memos(call).scroll(ScrollMode.FORWARD_ONLY)) {
                        return memos.next() ? memos.get().description : null;
                    }
                }),
                reads("scroll, left open", "a memo", call -> {
                    ScrollableResults<Memo> memos = memos(call).setFetchSize(1).scroll(ScrollMode.SCROLL_INSENSITIVE);
                    return memos.last() ? memos.get().description : null;
                }));
    }

    private static Stream<Operation<Session>> changing() {
        return Stream.of(
                writes(
                        "HQL update",
                        MEMO,
                        "updated",
                        call -> change(call, "update Memo m set m.description = 'updated' where m.id = :id")),
                writes(
                        "HQL update by the shard key",
                        "SELECT DISTINCT name FROM $.pet WHERE owner_id = $id",
                        "renamed",
                        call -> change(call, "update Pet p set p.name = 'renamed' where p.owner.id = :id")),
                writes(
                        "HQL update, versioned",
                        "SELECT name || ' ' || version FROM $.person WHERE id = $id",
                        "updated 1",
                        call -> change(call, "update versioned Person p set p.name = 'updated' where p.id = :id")),
                writes("HQL delete", MEMO, "", call -> change(call, "delete " + BY_ID)),
                writes("HQL delete, list of ids", MEMO, "", call -> call.session()
                        .createMutationQuery("delete from Memo m where m.id in :ids")
                        .setParameterList("ids", List.of(call.id()))
                        .executeUpdate()),
                writes("criteria update", MEMO, "updated", call -> {
                    CriteriaBuilder builder = call.session().getCriteriaBuilder();
                    CriteriaUpdate<Memo> update = builder.createCriteriaUpdate(Memo.class);
                    Root<Memo> memo = update.from(Memo.class);
                    update.set("description", "updated").where(builder.equal(memo.get("id"), call.id()));
                    call.session().createMutationQuery(update).executeUpdate();
                }),
                writes("criteria delete", MEMO, "", call -> {
                    CriteriaBuilder builder = call.session().getCriteriaBuilder();
                    CriteriaDelete<Memo> delete = builder.createCriteriaDelete(Memo.class);
                    delete.where(delete.from(Memo.class).get("id").in(List.of(call.id())));
                    call.session().createMutationQuery(delete).executeUpdate();
                }));
    }

    private static Stream<Operation<Session>> changingSeveralTables() {
        return Stream.of(
                writes(
                        "HQL update, joined tables",
                        "SELECT card FROM $.card_payment WHERE id = $id",
                        "43",
                        call -> change(call, "update ByCard p set p.card = '43' where p.id = :id")),
                writes(
                        "HQL delete, joined tables",
                        "SELECT card FROM $.card_payment WHERE id = $id UNION ALL SELECT description FROM $.payment"
                                + " WHERE id = $id",
                        "",
                        call -> change(call, "delete from Payment p where p.id = :id")),
                writes(
                        "HQL update, table per class",
                        "SELECT radius FROM $.circle WHERE id = $id",
                        "9",
                        call -> change(call, "update Circle c set c.radius = 9 where c.id = :id")));
    }

    private static Stream<Operation<Session>> natively() {
        return Stream.of(
                reads("native query, `{h-schema}`", "a memo", call -> call.session()
                        .createNativeQuery("select description from {h-schema}memo where id = :id", String.class)
                        .setParameter("id", call.id())
                        .getSingleResultOrNull()),
                reads("native query, list of ids", "a memo", call -> call.session()
                        .createNativeQuery("select description from {h-schema}memo where id in (:ids)", String.class)
                        .setParameterList("ids", List.of(call.id()))
                        .getSingleResultOrNull()),
                reads("native query, array of ids", "a memo", call -> call.session()
                        .createNativeQuery("select description from {h-schema}memo where id = any(:ids)", String.class)
                        .setParameter("ids", new Long[] {call.id()}, Long[].class)
                        .getSingleResultOrNull()),
                writes("native update, `{h-schema}`", MEMO, "native", call -> call.session()
                        .createNativeMutationQuery("update {h-schema}memo set description = 'native' where id = :id")
                        .setParameter("id", call.id())
                        .executeUpdate()),
                writes("native delete, array of ids", MEMO, "", call -> call.session()
                        .createNativeMutationQuery("delete from {h-schema}memo m where m.id = any(?1)")
                        .setParameter(1, new Long[] {call.id()}, Long[].class)
                        .executeUpdate()));
    }

    private static void change(Operation.Call<Session> call, String hql) {
        MutationQuery change = call.session().createMutationQuery(hql);
        assertThat(change.setParameter("id", call.id()).executeUpdate()).isPositive();
    }

    private static SelectionQuery<Memo> memos(Operation.Call<Session> call) {
        return call.session().createSelectionQuery(BY_ID, Memo.class).setParameter("id", call.id());
    }
}
