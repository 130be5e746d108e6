package io.github.shardedid.boot.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;
import static io.github.shardedid.test.matrix.Operation.writes;

import io.github.shardedid.boot.app.User;
import io.github.shardedid.test.matrix.Operation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.Sort;

/** Methods and statements that tell no shard: they run in the scope that is open. */
@Tag("quick")
class ScopedMatrixIntegrationTests extends AppMatrix {
    private static final String NAME = "SELECT name FROM $.app_user WHERE id = $id";

    @Override
    protected String heading() {
        return "In a scope";
    }

    @Override
    protected List<Operation<MatrixApp>> operations() {
        return Stream.concat(reading(), writing()).map(Operation::inScope).toList();
    }

    private static String present(Stream<User> users, long id) {
        return users.filter(user -> user.id() == id)
                .findFirst()
                .map(User::getName)
                .orElse("");
    }

    private static Stream<Operation<MatrixApp>> reading() {
        return Stream.of(
                reads("`findAll`", "of old", call -> present(call.session().users().findAll().stream(), call.id())),
                reads(
                        "`findAll(Sort)`",
                        "of old",
                        call -> present(call.session().users().findAll(Sort.by("name")).stream(), call.id())),
                reads("`count`", true, call -> call.session().users().count() > 0),
                reads("`findAll(Specification)`", true, call -> !call.session()
                        .photos()
                        .findAll((root, query, builder) -> builder.equal(root.get("caption"), "first"))
                        .isEmpty()),
                reads("Query by Example", true, call -> call.session().users().exists(Example.of(new User("of old")))),
                reads(
                        "derived query without key",
                        true,
                        call -> !call.session().photos().findByCaption("first").isEmpty()),
                reads(
                        "`@Query` without `@ShardKey`",
                        true,
                        call -> !call.session().photos().unrouted("first").isEmpty()),
                reads("`JdbcTemplate`", "of old", call -> call.session()
                        .jdbc()
                        .queryForObject(
                                "SELECT name FROM sharded_id_shard.app_user WHERE id = ?", String.class, call.id())),
                reads("`JdbcTemplate` without schema", "of old", call -> call.session()
                        .jdbc()
                        .queryForObject("SELECT name FROM app_user WHERE id = ?", String.class, call.id())));
    }

    private static Stream<Operation<MatrixApp>> writing() {
        return Stream.of(
                writes(
                        "`save`, neither id nor shard key",
                        "SELECT name FROM $.app_user ORDER BY id DESC LIMIT 1",
                        "new",
                        call -> call.session().users().save(new User("new"))),
                writes("`JdbcTemplate`, update", NAME, "by JDBC", call -> call.session()
                        .jdbc()
                        .update("UPDATE sharded_id_shard.app_user SET name = 'by JDBC' WHERE id = ?", call.id())));
    }
}
