package io.github.shardedid.example.photo;

import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

/** An ordinary repository. */
public interface PhotoLikeRepository extends JpaRepository<PhotoLike, Long> {
    /**
     * How many users like a photo: counted in its shard.
     *
     * @param photoId the photo's id
     * @return 0 or more
     */
    long countByPhotoId(Long photoId);

    /**
     * Whether a user likes a photo.
     *
     * @param photoId the photo's id
     * @param userId the user's id
     * @return true once it is so
     */
    boolean existsByPhotoIdAndUserId(Long photoId, Long userId);

    /**
     * Who likes a photo, the latest first.
     *
     * @param photoId the photo's id
     * @param before likes older than this one only
     * @param limit how many at most
     * @return likes in descending order of their ids
     */
    List<PhotoLike> findByPhotoIdAndIdLessThanOrderByIdDesc(Long photoId, Long before, Limit limit);

    /**
     * A user's like of a photo.
     *
     * @param photoId the photo's id
     * @param userId the user's id
     * @return the like, or empty
     */
    Optional<PhotoLike> findByPhotoIdAndUserId(Long photoId, Long userId);
}
