package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.SecondWriteShardException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repositories of an entity with an {@code @IdClass}. */
@Tag("quick")
class CompositeIdsIntegrationTests {
    private final RunningApp app = RunningApp.shared();
    private final RatingRepository ratings = app.bean(RatingRepository.class);

    private Rating ratingIn(int shard) {
        return ratings.save(new Rating(app.photoOf(app.userIn(shard), "rated"), app.userIn(7 - shard), shard));
    }

    private List<String> stars(int shard, Rating rating) {
        return app.query(
                shard,
                "SELECT stars FROM $.rating WHERE photo_id = " + rating.key().photo() + " ORDER BY stars");
    }

    @Test
    void theIdIsEnough() {
        Rating rating = ratingIn(6);
        assertThat(stars(6, rating)).containsExactly("6");
        assertThat(ratings.findById(rating.key()).orElseThrow().getStars()).isEqualTo(6);
        assertThat(ratings.existsById(rating.key())).isTrue();
        app.inTransaction(() -> {
            Rating found = ratings.getReferenceById(rating.key());
            found.setStars(3);
            assertThat(Objects.requireNonNull(found.getUser()).getName()).isEqualTo("user of 1");
        });
        assertThat(stars(6, rating)).containsExactly("3");
        rating.setStars(4);
        ratings.save(rating);
        assertThat(stars(6, rating)).containsExactly("4");
        ratings.deleteById(rating.key());
        assertThat(stars(6, rating)).isEmpty();
        assertThat(ratings.existsById(rating.key())).isFalse();
    }

    @Test
    void queriesByThePartOfTheIdAreRouted() {
        Photo photo = app.photoOf(app.userIn(5), "rated");
        ratings.saveAll(List.of(new Rating(photo, app.userIn(1), 2), new Rating(photo, app.userIn(6), 1)));
        assertThat(ratings.findByPhotoIdOrderByStars(photo.id()))
                .extracting(Rating::getStars)
                .containsExactly(1, 2);
        assertThat(ratings.rate(photo, 5)).isEqualTo(2);
        assertThatThrownBy(() -> ratings.findByUserId(1))
                .isInstanceOf(NoShardException.class)
                .hasFieldOrPropertyWithValue("ofValue", true);
    }

    @Test
    void severalIdsAreGroupedByShard() {
        Rating one = ratingIn(0);
        Rating other = ratingIn(5);
        assertThat(ratings.findAllById(List.of(one.key(), other.key())))
                .extracting(Rating::getStars)
                .containsExactlyInAnyOrder(0, 5);
        assertThatThrownBy(() -> app.inTransaction(() -> {
                    ratings.deleteAllById(List.of(one.key(), other.key()));
                }))
                .isInstanceOf(SecondWriteShardException.class);
        ratings.deleteAllById(List.of(one.key(), other.key()));
        assertThat(stars(0, one)).isEmpty();
        assertThat(stars(5, other)).isEmpty();
        ratings.saveAll(List.of(one, other));
        ratings.deleteAllInBatch(List.of(one, other));
        assertThat(stars(5, other)).isEmpty();
    }
}
