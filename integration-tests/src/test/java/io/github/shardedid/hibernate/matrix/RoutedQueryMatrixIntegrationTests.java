package io.github.shardedid.hibernate.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;

import io.github.shardedid.test.matrix.Operation;
import jakarta.persistence.LockModeType;
import jakarta.persistence.criteria.CriteriaBuilder;
import jakarta.persistence.criteria.CriteriaQuery;
import jakarta.persistence.criteria.Root;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.Hibernate;
import org.hibernate.ScrollMode;
import org.hibernate.ScrollableResults;
import org.hibernate.Session;
import org.hibernate.query.SelectionQuery;

/** Queries that require an id by equality run in its shard. */
class RoutedQueryMatrixIntegrationTests extends SessionMatrix {
    private static final String BY_ID = "from Memo m where m.id = :id";

    @Override
    protected String heading() {
        return "HQL and criteria queries by id";
    }

    @Override
    protected List<Operation<Session>> operations() {
        return List.of(
                reads("HQL, JPQL", "a memo", call -> call.session()
                        .createSelectionQuery("select m.description " + BY_ID, String.class)
                        .setParameter("id", call.id())
                        .getSingleResultOrNull()),
                reads("HQL, list of ids", "a memo", call -> call.session()
                        .createSelectionQuery("select m.description from Memo m where m.id in :ids", String.class)
                        .setParameterList("ids", List.of(call.id()))
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
                        .orElse(null)),
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

    private static SelectionQuery<Memo> memos(Operation.Call<Session> call) {
        return call.session().createSelectionQuery(BY_ID, Memo.class).setParameter("id", call.id());
    }
}
