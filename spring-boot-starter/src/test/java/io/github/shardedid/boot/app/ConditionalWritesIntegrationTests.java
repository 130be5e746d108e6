package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.spring.data.AllShards;
import io.github.shardedid.spring.data.RouteKind;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.jpa.domain.DeleteSpecification;
import org.springframework.data.jpa.domain.PredicateSpecification;
import org.springframework.data.jpa.domain.UpdateSpecification;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;

/** Updates and deletes by the conditions that Spring Data 4 has for them. */
@Tag("quick")
class ConditionalWritesIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final PhotoRepository photos = app.bean(PhotoRepository.class);
    private final String caption = UUID.randomUUID().toString();

    private static PredicateSpecification<Photo> by(User author) {
        return (photo, builder) -> builder.equal(photo.get("author"), author);
    }

    private static PredicateSpecification<Photo> byId(Photo... several) {
        List<Long> ids = List.of(several).stream().map(Photo::id).toList();
        return (photo, builder) -> photo.get("id").in(ids);
    }

    private PredicateSpecification<Photo> captioned() {
        return (photo, builder) -> builder.equal(photo.get("caption"), caption);
    }

    private static UpdateSpecification<Photo> recaption(String caption, PredicateSpecification<Photo> condition) {
        return UpdateSpecification.<Photo>update((photo, update, builder) -> update.set("caption", caption))
                .where(condition);
    }

    private List<String> captions(int shard, Photo photo) {
        return app.query(shard, "SELECT caption FROM $.photo WHERE id = " + photo.id());
    }

    @Test
    void aConditionByTheShardKeyDecides() {
        User author = app.userIn(6);
        Photo photo = app.photoOf(author, caption);
        app.photoOf(author, caption);
        Photo other = app.photoOf(app.userIn(2), caption);

        assertThat(photos.update(recaption("new", by(author)))).isEqualTo(2);
        assertThat(captions(6, photo)).containsExactly("new");
        assertThat(photos.delete(by(author).and(captioned()))).isZero();
        assertThat(photos.delete(by(author))).isEqualTo(2);
        assertThat(captions(6, photo)).isEmpty();
        assertThat(captions(2, other)).containsExactly(caption);
    }

    @Test
    void aConditionByTheIdDecidesAlsoInAScopeOfOthers() {
        Photo near = app.photoOf(app.userIn(2), caption);
        Photo far = app.photoOf(app.userIn(6), caption);

        assertThat(ShardContext.<Long>call(2, () -> photos.update(recaption("new", byId(far)))))
                .isOne();
        assertThat(captions(6, far)).containsExactly("new");
        assertThat(ShardContext.<Long>call(ShardSet.all(), () -> photos.delete(DeleteSpecification.where(byId(far)))))
                .isOne();
        assertThat(captions(6, far)).isEmpty();
        assertThat(captions(2, near)).containsExactly(caption);
    }

    @Test
    void rowsOfTwoShardsAreRefused() {
        Photo near = app.photoOf(app.userIn(2), caption);
        Photo far = app.photoOf(app.userIn(6), caption);

        assertThatThrownBy(() -> photos.delete(byId(near, far)))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        assertThatThrownBy(() -> photos.update(recaption("new", byId(near, far))))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        assertThatThrownBy(() -> app.inTransaction(() -> {
                    photos.update(recaption("new", byId(near)));
                    photos.delete(byId(far));
                }))
                .hasStackTraceContaining(SecondWriteShardException.class.getName());
        assertThat(captions(2, near)).containsExactly(caption);
        assertThat(captions(6, far)).containsExactly(caption);
    }

    @Test
    void aConditionWithoutIdAndKeyNeedsAScope() {
        Photo near = app.photoOf(app.userIn(2), caption);
        Photo far = app.photoOf(app.userIn(6), caption);
        app.resetTaps();

        assertThatThrownBy(() -> photos.delete(captioned()))
                .hasStackTraceContaining(NoShardException.class.getName())
                .hasStackTraceContaining("ShardContext.run(shard");
        assertThatThrownBy(() -> photos.delete(DeleteSpecification.where(captioned())))
                .hasStackTraceContaining(NoShardException.class.getName());
        assertThatThrownBy(() -> photos.update(recaption("new", captioned())))
                .hasStackTraceContaining(NoShardException.class.getName());
        assertThatThrownBy(() -> photos.delete(DeleteSpecification.unrestricted()))
                .hasStackTraceContaining(NoShardException.class.getName());
        assertThatThrownBy(() -> ShardContext.<Long>call(ShardSet.of(Set.of(2, 6)), () -> photos.delete(captioned())))
                .isInstanceOf(RuntimeException.class);
        assertThat(app.turns()).isZero();

        assertThat(ShardContext.<Long>call(6, () -> photos.update(recaption("new", captioned()))))
                .isOne();
        assertThat(captions(2, near)).containsExactly(caption);
        assertThat(captions(6, far)).containsExactly("new");
    }

    interface Everywhere extends JpaRepository<Photo, Long>, JpaSpecificationExecutor<Photo> {
        @Override
        @AllShards
        long update(UpdateSpecification<Photo> specification);
    }

    @Test
    void anUpdateOfAllShardsIsRefusedAtStart() {
        assertThat(MadeRepository.of(app, Everywhere.class).routes()).containsEntry("update", RouteKind.REFUSED);
    }
}
