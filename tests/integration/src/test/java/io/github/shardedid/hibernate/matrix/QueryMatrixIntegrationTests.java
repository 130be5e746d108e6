package io.github.shardedid.hibernate.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;
import static io.github.shardedid.test.matrix.Operation.writes;

import io.github.shardedid.test.matrix.Operation;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.junit.jupiter.api.Tag;

/** Queries that do not determine their shard run in the one whose scope is open. */
@Tag("quick")
class QueryMatrixIntegrationTests extends SessionMatrix {
    private static final String MEMO = "SELECT description FROM $.memo WHERE id = $id";

    @Override
    protected String heading() {
        return "Queries in a scope";
    }

    @Override
    protected List<Operation<Session>> operations() {
        return Stream.of(reading(), writing())
                .flatMap(each -> each)
                .map(Operation::inScope)
                .toList();
    }

    /** Each is sent at once. */
    @Override
    protected void flush(Session session) {}

    private static Stream<Operation<Session>> reading() {
        return Stream.of(
                reads("HQL without equality", "a memo", call -> call.session()
                        .createSelectionQuery(
                                "select m.description from Memo m where m.id between :id and :id", String.class)
                        .setParameter("id", call.id())
                        .getSingleResultOrNull()),
                reads("native query without equality", "a memo", call -> call.session()
                        .createNativeQuery(
                                "select description from {h-schema}memo where id between :id and :id", String.class)
                        .setParameter("id", call.id())
                        .getSingleResult()),
                reads("native query without schema", "a memo", call -> call.session()
                        .createNativeQuery("select description from memo where id = :id", String.class)
                        .setParameter("id", call.id())
                        .getSingleResult()),
                reads("JDBC (`doWork`)", "a memo", call -> call.session().doReturningWork(connection -> {
                    try (PreparedStatement select =
                            connection.prepareStatement("SELECT description FROM sharded_id_shard.memo WHERE id = ?")) {
                        select.setLong(1, call.id());
                        ResultSet rows = select.executeQuery();
                        return rows.next() ? rows.getString(1) : null;
                    }
                })));
    }

    private static Stream<Operation<Session>> writing() {
        return Stream.of(
                writes("HQL update without equality", MEMO, "updated", call -> call.session()
                        .createMutationQuery(
                                "update Memo m set m.description = 'updated' where m.id between :id and :id")
                        .setParameter("id", call.id())
                        .executeUpdate()),
                writes(
                        "HQL update without equality, joined tables",
                        "SELECT card FROM $.card_payment WHERE id = $id",
                        "43",
                        call -> call.session()
                                .createMutationQuery("update ByCard p set p.card = '43' where p.id between :id and :id")
                                .setParameter("id", call.id())
                                .executeUpdate()),
                writes("HQL update of the shard key", "SELECT 1", "1", call -> call.session()
                        .createMutationQuery("update Note n set n.writer = :id where n.id = :id")
                        .setParameter("id", call.id())
                        .executeUpdate()),
                writes("HQL insert", "SELECT 1", "1", call -> call.session()
                        .createMutationQuery("insert into Memo (id, description) values (:id, 'inserted')")
                        .setParameter("id", call.id() + 1)
                        .executeUpdate()),
                writes("HQL delete without equality", MEMO, "", call -> call.session()
                        .createMutationQuery("delete from Memo m where m.id between :id and :id")
                        .setParameter("id", call.id())
                        .executeUpdate()),
                writes("native update without equality", MEMO, "native", call -> call.session()
                        .createNativeMutationQuery(
                                "update {h-schema}memo set description = 'native' where id between :id and :id")
                        .setParameter("id", call.id())
                        .executeUpdate()),
                writes("JDBC update (`doWork`)", MEMO, "by JDBC", call -> call.session()
                        .doWork(connection -> {
                            try (PreparedStatement update = connection.prepareStatement(
                                    "UPDATE sharded_id_shard.memo SET description = 'by JDBC' WHERE id = ?")) {
                                update.setLong(1, call.id());
                                update.executeUpdate();
                            }
                        })),
                writes("function that writes, in a select", MEMO, "rewritten", call -> call.session()
                        .createNativeQuery("select {h-schema}rewritten(:id)", String.class)
                        .setParameter("id", call.id())
                        .getSingleResult()));
    }
}
