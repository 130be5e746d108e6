package io.github.shardedid.example.photo;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

/** A Spring Data repository of likes. */
public interface PhotoLikeRepository extends JpaRepository<PhotoLike, Long> {
    /**
     * Counts the users who like a photo, in the photo's shard.
     *
     * @param photoId the photo's id
     * @return 0 or more
     */
    long countByPhotoId(Long photoId);

    /**
     * Returns whether a user likes a photo.
     *
     * @param photoId the photo's id
     * @param userId the user's id
     * @return true if there is a like
     */
    boolean existsByPhotoIdAndUserId(Long photoId, Long userId);

    /**
     * Finds the likes of a photo, the latest first.
     *
     * @param photoId the photo's id
     * @param before finds only likes with smaller ids
     * @param limit the maximum number of likes
     * @return likes in descending order of their ids
     */
    List<PhotoLike> findByPhotoIdAndIdLessThanOrderByIdDesc(Long photoId, Long before, Limit limit);

    /**
     * Finds a user's like of a photo.
     *
     * @param photoId the photo's id
     * @param userId the user's id
     * @return the like, or empty
     */
    Optional<PhotoLike> findByPhotoIdAndUserId(Long photoId, Long userId);

    /**
     * Finds a user's likes of all shards.
     *
     * @param userId the user's id
     * @return likes in no particular order
     */
    @AllShards
    List<PhotoLike> findByUserId(Long userId);
}
