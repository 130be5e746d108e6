package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ShardKey;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

public interface RatingRepository extends JpaRepository<Rating, Rating.Key> {
    List<Rating> findByPhotoIdOrderByStars(long photoId);

    List<Rating> findByUserId(long userId);

    @Transactional
    @Modifying
    @Query("update Rating r set r.stars = :stars where r.photo = :photo")
    int rate(@ShardKey Photo photo, int stars);
}
