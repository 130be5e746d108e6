package io.github.shardedid.boot.matrix;

import static io.github.shardedid.test.matrix.Operation.reads;
import static io.github.shardedid.test.matrix.Operation.writes;

import io.github.shardedid.boot.app.Like;
import io.github.shardedid.boot.app.LikeRepository;
import io.github.shardedid.boot.app.Photo;
import io.github.shardedid.boot.app.PhotoRepository.Captioned;
import io.github.shardedid.boot.app.User;
import io.github.shardedid.test.matrix.Operation;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.jpa.domain.DeleteSpecification;
import org.springframework.data.jpa.domain.PredicateSpecification;
import org.springframework.data.jpa.domain.UpdateSpecification;

/** Methods of repositories whose arguments tell the shard. */
@Tag("quick")
class RepositoryMatrixIntegrationTests extends AppMatrix {
    private static final String NAME = "SELECT name FROM $.app_user WHERE id = $id";
    private static final String PRESET = "SELECT name FROM $.app_user WHERE id = $id + 1";
    private static final String CAPTIONS = "SELECT caption FROM $.photo WHERE author_id = $id ORDER BY caption";

    @Override
    protected String heading() {
        return "Repository methods";
    }

    @Override
    protected List<Operation<MatrixApp>> operations() {
        return Stream.of(byId(), queries(), saving(), deleting())
                .flatMap(part -> part)
                .toList();
    }

    private static Stream<Operation<MatrixApp>> byId() {
        return Stream.of(
                reads("`findById`", "of old", call -> call.session()
                        .users()
                        .findById(call.id())
                        .map(User::getName)
                        .orElse(null)),
                reads("`existsById`", "yes", call -> call.session().users().existsById(call.id()) ? "yes" : null),
                reads("`getReferenceById`, loaded later", "of old", call -> call.session()
                        .users()
                        .getReferenceById(call.id())
                        .getName()),
                reads(
                        "`findAllById`",
                        "first, second",
                        call -> captions(call.session().photos().findAllById(List.of(call.id(), call.id() + 1)))),
                reads("lazy association", "of old", call -> call.session()
                        .photos()
                        .findById(call.id())
                        .map(photo -> photo.getAuthor() == null
                                ? null
                                : photo.getAuthor().getName())
                        .orElse(null)),
                reads("projection by id", "first", call -> call.session()
                        .photos()
                        .findProjectedById(call.id())
                        .map(Captioned::getCaption)
                        .orElse(null)));
    }

    private static Stream<Operation<MatrixApp>> queries() {
        return Stream.of(
                reads(
                        "derived query by shard key, `Limit`",
                        "first, second",
                        call -> captions(call.session().photos().findByAuthorIdOrderByIdDesc(call.id(), Limit.of(5)))),
                reads(
                        "derived query by association",
                        "first, second",
                        call -> captions(call.session().photos().findByAuthor(user(call.id(), "")))),
                reads(
                        "derived query by a list of ids",
                        "first, second",
                        call -> captions(call.session()
                                .photos()
                                .findByIdInOrderByIdDesc(List.of(call.id(), call.id() + 1), Limit.of(5)))),
                reads(
                        "`@Query` with a list of ids",
                        "first",
                        call -> captions(call.session().photos().listed(List.of(call.id(), call.id() + 1), "first"))),
                reads(
                        "`findAll(Specification)` with the id",
                        "first",
                        call -> captions(call.session()
                                .photos()
                                .findAll((root, query, builder) -> builder.equal(root.get("id"), call.id())))),
                reads("Query by Example with the id", "of old", call -> call.session()
                        .users()
                        .findOne(Example.of(user(call.id(), "of old")))
                        .map(User::getName)
                        .orElse("")),
                reads(
                        "derived query, `Page`",
                        "first",
                        call -> captions(call.session()
                                .photos()
                                .findByCaptionAndAuthorId("first", call.id(), PageRequest.of(0, 5))
                                .getContent())),
                reads(
                        "derived query, `Window`",
                        "first, second",
                        call -> captions(call.session()
                                .photos()
                                .findFirst2ByAuthorIdOrderById(call.id(), ScrollPosition.keyset())
                                .getContent())),
                reads(
                        "derived query, projection of a class", "first", call -> call
                                .session()
                                .photos()
                                .findByAuthorIdAndCaptionStartingWith(call.id(), "f", Captioned.class)
                                .stream()
                                .map(Captioned::getCaption)
                                .collect(Collectors.joining())),
                reads("derived count", "2", call -> {
                    long count = call.session().photos().countByAuthorId(call.id());
                    return count == 0 ? null : String.valueOf(count);
                }),
                reads(
                        "derived exists",
                        "yes",
                        call -> call.session().photos().existsByAuthorIdAndCaption(call.id(), "first") ? "yes" : null),
                reads(
                        "`@Query` with `@ShardKey`",
                        "first",
                        call -> captions(call.session().photos().matching(call.id(), "f%"))),
                reads(
                        "`@Query` with join fetch",
                        "first, second",
                        call -> captions(call.session().photos().withAuthor(user(call.id(), "")))),
                reads(
                        "`@NativeQuery` with `{h-schema}`",
                        "first, second",
                        call -> captions(call.session().photos().natively(call.id()))));
    }

    private static Stream<Operation<MatrixApp>> saving() {
        return Stream.of(
                writes("`save`, child of a parent", CAPTIONS, "first, new, second", call -> call.session()
                        .photos()
                        .save(new Photo(user(call.id(), ""), "new"))),
                writes(
                        "`save`, id by the column's default",
                        "SELECT fan FROM $.photo_like WHERE photo_id = $id",
                        "new",
                        call -> call.session().bean(LikeRepository.class).save(new Like(call.id(), "new"))),
                writes("`save`, preset id", PRESET, "preset", call -> call.session()
                        .users()
                        .save(user(call.id() + 1, "preset"))),
                writes("`save`, detached", NAME, "saved", call -> call.session()
                        .users()
                        .save(user(call.id(), "saved"))),
                writes("`saveAndFlush`", NAME, "saved", call -> call.session()
                        .users()
                        .saveAndFlush(user(call.id(), "saved"))),
                writes("`saveAll`", CAPTIONS, "first, new, newer, second", call -> call.session()
                        .photos()
                        .saveAll(List.of(
                                new Photo(user(call.id(), ""), "new"), new Photo(user(call.id(), ""), "newer")))),
                writes("change of a found entity", NAME, "changed", call -> call.session()
                        .users()
                        .findById(call.id())
                        .ifPresent(user -> user.setName("changed"))),
                writes("`@Modifying` with `@ShardKey`", CAPTIONS, "new, new", call -> call.session()
                        .photos()
                        .recaption(call.id(), "new")));
    }

    private static Stream<Operation<MatrixApp>> deleting() {
        return Stream.of(
                writes("`delete`", CAPTIONS, "first", call -> call.session()
                        .photos()
                        .delete(photo(call.id() + 1, call.id()))),
                writes("`deleteById`", CAPTIONS, "first", call -> call.session()
                        .photos()
                        .deleteById(call.id() + 1)),
                writes("`deleteAll(entities)`", CAPTIONS, "first", call -> call.session()
                        .photos()
                        .deleteAll(List.of(photo(call.id() + 1, call.id())))),
                writes("`deleteAllById`", CAPTIONS, "first", call -> call.session()
                        .photos()
                        .deleteAllById(List.of(call.id() + 1))),
                writes("`deleteAllByIdInBatch`", CAPTIONS, "first", call -> call.session()
                        .photos()
                        .deleteAllByIdInBatch(List.of(call.id() + 1))),
                writes("`deleteAllInBatch(entities)`", CAPTIONS, "first", call -> call.session()
                        .photos()
                        .deleteAllInBatch(List.of(photo(call.id() + 1, call.id())))),
                writes("derived delete", CAPTIONS, "", call -> call.session()
                        .photos()
                        .deleteByAuthorId(call.id())),
                writes("`update(UpdateSpecification)` by the shard key", CAPTIONS, "new, new", call -> call.session()
                        .photos()
                        .update(UpdateSpecification.<Photo>update(
                                        (photo, update, builder) -> update.set("caption", "new"))
                                .where(by(call.id())))),
                writes("`delete(PredicateSpecification)` by the shard key", CAPTIONS, "", call -> call.session()
                        .photos()
                        .delete(by(call.id()))),
                writes("`delete(DeleteSpecification)` by the id", CAPTIONS, "first", call -> call.session()
                        .photos()
                        .delete(DeleteSpecification.where(
                                (photo, builder) -> builder.equal(photo.get("id"), call.id() + 1)))));
    }

    private static PredicateSpecification<Photo> by(long author) {
        return (photo, builder) -> builder.equal(photo.get("author").get("id"), author);
    }
}
