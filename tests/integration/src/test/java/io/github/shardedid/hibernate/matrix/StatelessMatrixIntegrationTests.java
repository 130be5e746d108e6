package io.github.shardedid.hibernate.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;
import static io.github.shardedid.test.matrix.Operation.writes;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.matrix.Matrix;
import io.github.shardedid.test.matrix.Operation;
import io.github.shardedid.test.matrix.ServerWatch;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.hibernate.LockMode;
import org.hibernate.StatelessSession;
import org.hibernate.Transaction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** The same of a stateless session, which has no flush: each call is sent at once, also without a transaction. */
@Tag("quick")
class StatelessMatrixIntegrationTests extends Matrix<StatelessSession> {
    private static final String MEMO = "SELECT description FROM $.memo WHERE id = $id";
    private static final String NOTES = "SELECT count(*) FROM $.note WHERE writer = $id";
    private static final String PRESET = "SELECT description FROM $.memo WHERE id = $id + 1";

    @Override
    protected String heading() {
        return "`StatelessSession`";
    }

    @Override
    protected List<Operation<StatelessSession>> operations() {
        return List.of(
                reads("`get`", "a memo", call -> text(call.session().get(Memo.class, call.id()))),
                reads(
                        "`get` with a pessimistic lock",
                        "a memo",
                        call -> text(call.session().get(Memo.class, call.id(), LockMode.PESSIMISTIC_WRITE))),
                reads("`get` with an entity graph", 2, call -> {
                    var graph = call.session().createEntityGraph(Person.class);
                    graph.addAttributeNodes("pets");
                    Person person = call.session().get(graph, call.id());
                    return person == null ? null : person.pets.size();
                }),
                reads(
                        "`getMultiple`",
                        "rex, zoe",
                        call -> call.session().getMultiple(Pet.class, List.of(call.id(), call.id() + 1)).stream()
                                .filter(Objects::nonNull)
                                .map(pet -> pet.name)
                                .collect(Collectors.joining(", "))),
                reads("`refresh`", "a memo", call -> {
                    Memo memo = call.session().get(Memo.class, call.id());
                    if (memo != null) {
                        memo.description = "forgotten";
                        call.session().refresh(memo);
                    }
                    return text(memo);
                }),
                reads("`fetch` of a to-one association", "of old", call -> {
                    Pet pet = call.session().get(Pet.class, call.id());
                    if (pet == null || pet.owner == null) {
                        return null;
                    }
                    call.session().fetch(pet.owner);
                    return pet.owner.name();
                }),
                reads("`fetch` of a collection", 2, call -> {
                    Person person = call.session().get(Person.class, call.id());
                    if (person == null) {
                        return null;
                    }
                    call.session().fetch(person.pets);
                    return person.pets.size();
                }),
                writes("`insert`, child of a parent", "SELECT count(*) FROM $.pet WHERE owner_id = $id", "3", call -> {
                    Person owner = new Person("");
                    owner.id = call.id();
                    call.session().insert(new Pet(owner, "new"));
                }),
                writes(
                        "`insert`, id by the column's default",
                        "SELECT words FROM $.note WHERE writer = $id AND id <> $id",
                        "new",
                        call -> call.session().insert(new Note(call.id(), "new"))),
                writes("`insert`, preset id", PRESET, "preset", call -> call.session()
                        .insert(memo(call.id() + 1, "preset"))),
                writes("`insert`, key of another shard", NOTES, "1", call -> call.session()
                        .insert(WritingMatrixIntegrationTests.strayed(call.id() + 1, call.id()))),
                writes("`insertMultiple`", PRESET, "first", call -> call.session()
                        .insertMultiple(List.of(memo(call.id() + 1, "first"), memo(call.id() + 2, "second")))),
                writes("`update`", MEMO, "updated", call -> call.session().update(memo(call.id(), "updated"))),
                writes("`update`, key of another shard", NOTES, "1", call -> call.session()
                        .update(WritingMatrixIntegrationTests.strayed(call.id(), call.id()))),
                writes("`updateMultiple`", MEMO, "updated", call -> call.session()
                        .updateMultiple(List.of(memo(call.id(), "updated")))),
                writes("`upsert`, existing", MEMO, "upserted", call -> call.session()
                        .upsert(memo(call.id(), "upserted"))),
                writes("`upsert`, new", PRESET, "upserted", call -> call.session()
                        .upsert(memo(call.id() + 1, "upserted"))),
                writes("`upsert`, key of another shard", NOTES, "1", call -> call.session()
                        .upsert(WritingMatrixIntegrationTests.strayed(call.id(), call.id()))),
                writes("`delete`", MEMO, "", call -> call.session().delete(memo(call.id(), ""))));
    }

    private static @Nullable String text(@Nullable Memo memo) {
        return memo == null ? null : memo.description;
    }

    private static Memo memo(long id, String description) {
        Memo memo = new Memo(description);
        memo.id = id;
        return memo;
    }

    @Override
    protected ServerWatch watch() {
        return MatrixCluster.shared().watch;
    }

    @Override
    protected IdLayout layout() {
        return IdLayout.DEFAULT;
    }

    @Override
    protected String rows() {
        return MatrixCluster.ROWS;
    }

    @Override
    protected @Nullable Object perform(boolean transaction, Steps<StatelessSession> steps) throws Exception {
        try (StatelessSession session = MatrixCluster.shared().sessions.openStatelessSession()) {
            if (!transaction) {
                return steps.with(session);
            }
            Transaction begun = session.beginTransaction();
            try {
                Object result = steps.with(session);
                begun.commit();
                return result;
            } finally {
                if (begun.isActive()) {
                    begun.rollback();
                }
            }
        }
    }

    @Override
    protected void read(StatelessSession session, long id) {
        session.get(Memo.class, id);
    }

    @Override
    protected void write(StatelessSession session, long id) {
        session.update(memo(id, "written before"));
    }
}
