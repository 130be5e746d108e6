package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.ShardKeys;
import io.github.shardedid.topology.UnknownShardException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;

@Tag("containers")
@Tag("quick")
class RepositoryRoutingIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final UserRepository users = app.bean(UserRepository.class);
    private final PhotoRepository photos = app.bean(PhotoRepository.class);
    private final CommentRepository comments = app.bean(CommentRepository.class);
    private final LikeRepository likes = app.bean(LikeRepository.class);
    private final HashtagRepository hashtags = app.bean(HashtagRepository.class);
    private final VisitRepository visits = app.bean(VisitRepository.class);

    /** An id of this layout whose shard, 100, the cluster of eight does not have. */
    private long foreignId() {
        return app.cluster().layout().encode(1, 100, 1);
    }

    @Test
    void findsChangesAndDeletesByIdInEveryShard() {
        for (int shard = 0; shard < 8; shard++) {
            User user = app.userIn(shard);
            assertThat(app.shardOf(user.id())).isEqualTo(shard);
            assertThat(app.query(shard, "SELECT name FROM $.app_user WHERE id = " + user.id()))
                    .hasSize(1);

            assertThat(users.existsById(user.id())).isTrue();
            User found = users.findById(user.id()).orElseThrow();
            found.setName("changed");
            users.save(found);
            assertThat(users.findById(user.id()).orElseThrow().getName()).isEqualTo("changed");
            assertThat(app.<String>inTransaction(
                            () -> users.getReferenceById(user.id()).getName()))
                    .isEqualTo("changed");

            users.deleteById(user.id());
            assertThat(users.existsById(user.id())).isFalse();
            assertThat(users.findById(user.id())).isEmpty();
        }
    }

    @Test
    void newRowsWithoutShardKeyAreSpread() {
        List<Integer> shards = IntStream.range(0, 60)
                .mapToObj(i -> app.shardOf(users.save(new User("spread")).id()))
                .distinct()
                .toList();

        assertThat(shards).hasSizeGreaterThan(2);
    }

    @Test
    void childrenLiveWithTheirParents() {
        User author = app.userIn(6);
        Photo photo = app.photoOf(author, "sunset");
        Comment comment = comments.save(new Comment(photo, "nice"));
        Like like = likes.save(new Like(photo.id(), "fan"));

        assertThat(List.of(photo.id(), comment.id(), like.id())).allMatch(id -> app.shardOf(id) == 6);
        assertThat(comments.findByPhotoId(photo.id())).hasSize(1);
        assertThat(comments.findByPhotoAuthorId(author.id())).hasSize(1);
        assertThat(likes.findByPhotoId(photo.id())).hasSize(1);
        assertThat(likes.findById(like.id())).isPresent();
    }

    @Test
    void textAndIntegerKeysDecideByHashAndModulo() {
        Hashtag hashtag = hashtags.save(new Hashtag("sunset"));
        assertThat(app.shardOf(hashtag.id())).isEqualTo(ShardKeys.shardOf("sunset", 8));
        assertThat(hashtags.findByName("sunset")).isPresent();
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> hashtags.findByNameIgnoreCase("SUNSET"))
                .hasFieldOrPropertyWithValue("ofValue", true);

        Visit visit = visits.save(new Visit(31_341, "/"));
        assertThat(app.shardOf(visit.id())).isEqualTo(31_341 % 8);
        assertThat(visits.findByVisitor(31_341)).extracting(Visit::id).contains(visit.id());
    }

    @Test
    void derivedQueriesThatFixTheShardKeyRouteThemselves() {
        User author = app.userIn(2);
        Photo first = app.photoOf(author, "a");
        Photo second = app.photoOf(author, "b");

        assertThat(photos.findByAuthorIdOrderByIdDesc(author.id(), Limit.of(1)))
                .extracting(Photo::id)
                .containsExactly(second.id());
        assertThat(photos.findByAuthorIdAndIdLessThanOrderByIdDesc(author.id(), second.id(), Limit.of(5)))
                .extracting(Photo::id)
                .containsExactly(first.id());
        assertThat(photos.findByAuthor(author)).hasSize(2);
        assertThat(photos.findByAuthorId(author.id(), Sort.by("id"))).hasSize(2);
        assertThat(photos.findByCaptionAndAuthorId("b", author.id(), PageRequest.of(0, 1))
                        .getTotalElements())
                .isEqualTo(1);
        assertThat(photos.findByAuthorIdAndCaptionStartingWith(author.id(), "a", PhotoRepository.Captioned.class))
                .extracting(PhotoRepository.Captioned::getCaption)
                .containsExactly("a");
        assertThat(photos.findProjectedById(first.id()))
                .get()
                .extracting("caption")
                .isEqualTo("a");
        assertThat(photos.latestOf(author)).extracting(Photo::id).containsExactly(second.id());
        Window<Photo> window = photos.findFirst2ByAuthorIdOrderById(author.id(), ScrollPosition.keyset());
        assertThat(window.getContent()).hasSize(2);
    }

    @Test
    void derivedCountsExistsStreamsAndDeletesRouteThemselves() {
        User author = app.userIn(5);
        app.photoOf(author, "a");
        app.photoOf(author, "b");

        assertThat(photos.countByAuthorId(author.id())).isEqualTo(2);
        assertThat(photos.existsByAuthorIdAndCaption(author.id(), "a")).isTrue();
        assertThat(photos.existsByAuthorIdAndCaption(author.id(), "c")).isFalse();
        assertThat(app.<Long>inTransaction(() -> {
                    try (Stream<Photo> stream = photos.streamByAuthorId(author.id())) {
                        return stream.count();
                    }
                }))
                .isEqualTo(2);
        assertThat(photos.deleteByAuthorId(author.id())).isEqualTo(2);
        assertThat(photos.countByAuthorId(author.id())).isZero();
    }

    @Test
    void aParameterWithShardKeyRoutesADeclaredQuery() {
        User author = app.userIn(7);
        Photo photo = app.photoOf(author, "declared");

        assertThat(photos.matching(author.id(), "decl%")).hasSize(1);
        assertThat(photos.withAuthor(author)).hasSize(1);
        assertThat(photos.natively(author.id())).extracting(Photo::id).containsExactly(photo.id());
        assertThat(photos.recaption(author.id(), "new")).isEqualTo(1);
        assertThat(photos.findById(photo.id()).orElseThrow().getCaption()).isEqualTo("new");
        assertThat(users.nameOf(author.id())).isEqualTo("user of 7");
    }

    @Test
    void aNumberThatIsComparedWithTheIdIsOne() {
        User user = app.userIn(1);

        assertThat(users.withNumber(user.id())).isNotNull();
    }

    @Test
    void whatTellsNoShardNeedsAScope() {
        User author = app.userIn(3);
        app.photoOf(author, "unroutable");

        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> photos.findByCaption("unroutable"))
                .withMessageContaining("PhotoRepository.findByCaption(String)")
                .withMessageContaining("findByAuthorId")
                .withMessageContaining("@ShardKey")
                .withMessageContaining("ShardContext.run(shard")
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> photos.unrouted("unroutable"))
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> photos.findByAuthorIdOrCaption(author.id(), "unroutable"))
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(photos::findAll)
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(photos::count)
                .hasFieldOrPropertyWithValue("ofValue", true);
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> photos.findAll((root, query, builder) -> builder.conjunction()))
                .hasFieldOrPropertyWithValue("ofValue", true);

        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(photos::deleteAll)
                .withMessageContainingAll("deleteAll()", "for each shard", "pass them to deleteAll(entities)")
                .withMessageNotContaining("put @AllShards on the method")
                .hasFieldOrPropertyWithValue("ofValue", true);

        assertThat(ShardContext.<List<Photo>>call(3, () -> photos.findByCaption("unroutable")))
                .hasSize(1);
        assertThat(ShardContext.<List<Photo>>call(4, () -> photos.findByCaption("unroutable")))
                .isEmpty();
        assertThat(ShardContext.<Long>call(3, photos::count)).isPositive();
    }

    @Test
    void aRoutedMethodOverridesTheScopeAroundItAndRestoresIt() {
        User author = app.userIn(0);
        app.photoOf(author, "inner");

        ShardContext.run(7, () -> {
            assertThat(users.findById(author.id())).isPresent();
            assertThat(photos.countByAuthorId(author.id())).isEqualTo(1);
            assertThat(ShardContext.current()).hasValue(7);
        });
        assertThat(ShardContext.current()).isEmpty();
    }

    @Test
    void anIdThatNoShardCanHaveMadeIsNotFoundAndNotWritten() {
        long foreign = foreignId();

        assertThat(users.findById(foreign)).isEmpty();
        assertThat(users.existsById(-5L)).isFalse();
        assertThat(users.findAllById(List.of(foreign))).isEmpty();
        assertThat(photos.findByAuthorIdOrderByIdDesc(foreign, Limit.of(3))).isEmpty();
        assertThat(photos.countByAuthorId(foreign)).isZero();
        assertThat(photos.findByCaptionAndAuthorId("x", foreign, PageRequest.of(0, 5))
                        .getContent())
                .isEmpty();
        assertThat(photos.findProjectedById(foreign)).isEmpty();
        app.resetTaps();
        assertThatExceptionOfType(UnknownShardException.class).isThrownBy(() -> users.deleteById(foreign));
        assertThatExceptionOfType(UnknownShardException.class).isThrownBy(() -> photos.deleteByAuthorId(foreign));
        assertThatExceptionOfType(UnknownShardException.class).isThrownBy(() -> photos.recaption(foreign, "x"));
        assertThat(app.turns()).isZero();
    }

    /** Only the database knows what its text makes of no rows. */
    @Test
    void aDeclaredQueryByAnIdThatNoShardCanHaveMadeIsSentOnce() {
        app.resetTaps();
        assertThat(users.nameOf(foreignId())).isNull();
        assertThat(app.turns()).isOne();
        assertThat(photos.listed(List.of(), "x")).isEmpty();
        assertThat(app.turns()).isEqualTo(2);
    }

    @Test
    void nullTellsNoShard() {
        assertThatExceptionOfType(NoShardException.class)
                .isThrownBy(() -> photos.findByAuthorIdOrderByIdDesc(null, Limit.of(1)))
                .withMessageContaining("PhotoRepository.findByAuthorIdOrderByIdDesc(Long, Limit)")
                .hasFieldOrPropertyWithValue("ofValue", true);
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void springDatasOwnComplaintAboutANullIdStays() {
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> users.findById(null))
                .withMessageContaining("must not be null");
    }

    @Test
    void severalRowsOfOneShardWorkAndOfTwoAreRefusedInATransactionThatWrites() {
        User one = app.userIn(1);
        User other = app.userIn(1);
        User elsewhere = app.userIn(2);

        assertThat(users.findAllById(List.of(one.id(), other.id()))).hasSize(2);
        assertThat(users.findAllById(List.of(one.id(), elsewhere.id()))).hasSize(2);
        assertThatExceptionOfType(SecondWriteShardException.class)
                .isThrownBy(() -> app.inTransaction(() -> users.deleteAllById(List.of(one.id(), elsewhere.id()))))
                .withMessageContaining("[1, 2]");
        assertThatExceptionOfType(SecondWriteShardException.class)
                .isThrownBy(() -> app.inTransaction(() -> users.deleteAllInBatch(List.of(one, elsewhere))));
        users.deleteAllByIdInBatch(List.of(one.id()));
        users.deleteAll(List.of(other));
        assertThat(users.existsById(one.id()) || users.existsById(other.id())).isFalse();
        assertThat(users.existsById(elsewhere.id())).isTrue();
    }

    @Test
    void presetIdsAreKept() {
        long id = app.cluster().layout().encode(1_000_000, 5, 17);
        User user = new User("imported");
        user.setId(id);

        users.save(user);

        assertThat(users.findById(id).orElseThrow().getName()).isEqualTo("imported");
        assertThat(app.query(5, "SELECT name FROM $.app_user WHERE id = " + id)).containsExactly("imported");
    }

    @Test
    void rowsInsertedBesideTheApplicationWithTheColumnsDefaultAreFound() {
        app.home(6).execute("INSERT INTO shard_0006.app_user (name) VALUES ('by psql')");
        long id = Long.parseLong(app.query(6, "SELECT id FROM $.app_user WHERE name = 'by psql' LIMIT 1")
                .get(0));

        assertThat(app.shardOf(id)).isEqualTo(6);
        assertThat(users.findById(id).orElseThrow().getName()).isEqualTo("by psql");
    }

    @Test
    void methodsOfObjectNeedNoShard() {
        assertThat(users.toString()).contains("SimpleJpaRepository");
    }
}
