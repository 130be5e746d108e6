package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.WrongShardException;
import io.github.shardedid.spring.data.PartialWriteException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("containers")
@Tag("quick")
class WritesIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final UserRepository users = app.bean(UserRepository.class);
    private final PhotoRepository photos = app.bean(PhotoRepository.class);
    private final LikeRepository likes = app.bean(LikeRepository.class);
    private final VisitRepository visits = app.bean(VisitRepository.class);

    @Test
    void savesInAndOutsideOfTransactionsInTheSameShard() {
        User author = app.userIn(4);
        Photo outside = app.photoOf(author, "outside");
        Photo inside = app.inTransaction(() -> {
            Photo photo = photos.save(new Photo(users.getReferenceById(author.id()), "inside"));
            likes.save(new Like(photo.id(), "fan"));
            return photo;
        });

        assertThat(app.query(4, "SELECT caption FROM $.photo WHERE author_id = " + author.id() + " ORDER BY id"))
                .containsExactly("outside", "inside");
        assertThat(app.query(4, "SELECT fan FROM $.photo_like WHERE photo_id = " + inside.id()))
                .containsExactly("fan");
        assertThat(outside.id()).isLessThan(inside.id());
    }

    @Test
    void aTransactionReadsAnyShardAndWritesOne() {
        User here = app.userIn(1);
        User there = app.userIn(6);

        app.inTransaction(() -> {
            User read = users.findById(there.id()).orElseThrow();
            users.findById(here.id()).orElseThrow().setName("after " + read.getName());
        });

        assertThat(users.findById(here.id()).orElseThrow().getName()).isEqualTo("after user of 6");
    }

    @Test
    void changesOfTwoShardsAreRefusedAtCommitAndNothingIsWritten() {
        User one = app.userIn(0);
        User other = app.userIn(1);

        assertThatExceptionOfType(SecondWriteShardException.class)
                .isThrownBy(() -> app.inTransaction(() -> {
                    users.findById(one.id()).orElseThrow().setName("lost");
                    users.findById(other.id()).orElseThrow().setName("lost");
                }));

        assertThat(users.findById(one.id()).orElseThrow().getName()).isEqualTo("user of 0");
        assertThat(users.findById(other.id()).orElseThrow().getName()).isEqualTo("user of 1");
    }

    @Test
    void newRowsOfTwoShardsAreRefusedInATransactionAndNothingIsWritten() {
        User one = app.userIn(2);
        User other = app.userIn(7);

        assertThatExceptionOfType(SecondWriteShardException.class)
                .isThrownBy(() -> app.inTransaction(() -> {
                    photos.saveAll(List.of(new Photo(one, "lost"), new Photo(other, "lost")));
                }));

        assertThat(photos.countByAuthorId(one.id()) + photos.countByAuthorId(other.id()))
                .isZero();
    }

    @Test
    void anAssociationAcrossShardsIsRefusedAtCommitWithBothIds() {
        User author = app.userIn(3);
        User foreign = app.userIn(5);
        Photo photo = app.photoOf(author, "stays");

        assertThatExceptionOfType(WrongShardException.class)
                .isThrownBy(() -> app.inTransaction(() ->
                        photos.findById(photo.id()).orElseThrow().setAuthor(users.getReferenceById(foreign.id()))))
                .withMessageContaining(String.valueOf(photo.id()))
                .withMessageContaining(String.valueOf(foreign.id()));

        assertThat(app.query(3, "SELECT author_id FROM $.photo WHERE id = " + photo.id()))
                .containsExactly(String.valueOf(author.id()));
    }

    @Test
    void aBulkUpdateOfASecondShardIsRefusedWithinATransaction() {
        User one = app.userIn(2);
        User other = app.userIn(3);
        app.photoOf(one, "kept");
        app.photoOf(other, "kept");

        assertThatExceptionOfType(SecondWriteShardException.class)
                .isThrownBy(() -> app.inTransaction(() -> {
                    photos.recaption(one.id(), "lost");
                    photos.recaption(other.id(), "lost");
                }));

        assertThat(photos.findByAuthor(one)).extracting(Photo::getCaption).containsExactly("kept");
        assertThat(photos.findByAuthor(other)).extracting(Photo::getCaption).containsExactly("kept");
    }

    @Test
    void shardKeysThatSayAnotherShardAreRefusedInTheirShardsOnly() {
        Visit same = visits.save(new Visit(1, "same"));
        Visit other = visits.save(new Visit(2, "other"));
        Visit kept = visits.save(new Visit(6, "kept"));
        same.visitor = 9;
        other.visitor = 6;
        kept.page = "changed";

        assertThatExceptionOfType(PartialWriteException.class)
                .isThrownBy(() -> visits.saveAll(List.of(same, other, kept)))
                .withCauseInstanceOf(WrongShardException.class)
                .withStackTraceContaining("the shard key")
                .satisfies(e -> {
                    assertThat(e.written()).containsOnlyKeys(1, 6);
                    assertThat(e.notWritten().get(2)).isEqualTo(List.of(other));
                });
        assertThat(visits.findByVisitor(9)).extracting(Visit::id).contains(same.id());
        assertThat(visits.findByVisitor(2)).extracting(Visit::id).contains(other.id());
        assertThat(visits.findByVisitor(6)).extracting(visit -> visit.page).contains("changed");
    }

    @Test
    void aTransactionInWhichOneShardKeyIsWrongWritesNothing() {
        Visit right = visits.save(new Visit(3, "right"));
        Visit wrong = visits.save(new Visit(3, "wrong"));
        right.page = "changed";
        wrong.visitor = 4;

        assertThatExceptionOfType(WrongShardException.class)
                .isThrownBy(() -> app.inTransaction(() -> {
                    visits.saveAll(List.of(right, wrong));
                }))
                .withMessageContaining("the shard key");
        assertThatExceptionOfType(WrongShardException.class)
                .isThrownBy(() -> visits.saveAll(List.of(right, wrong)))
                .withMessageContaining("the shard key");
        assertThat(visits.findByVisitor(3)).extracting(visit -> visit.page).contains("right", "wrong");
    }
}
