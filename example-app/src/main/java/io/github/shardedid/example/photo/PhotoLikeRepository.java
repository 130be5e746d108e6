package io.github.shardedid.example.photo;

import io.github.shardedid.example.user.User;
import io.github.shardedid.hibernate.ShardKey;
import java.util.Collection;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

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
     * How many users like each of an author's photos. A query's text does not say which parameter decides the shard: the
     * annotation does.
     *
     * @param authorId the author's id
     * @param photoIds the ids of photos of that author
     * @return a count for each photo that someone likes
     */
    @Query("select l.photo.id as photoId, count(l) as likes from PhotoLike l where l.photo.author.id = :authorId"
            + " and l.photo.id in :photoIds group by l.photo.id")
    List<LikeCount> countByPhotos(
            @ShardKey(references = User.class) @Param("authorId") Long authorId,
            @Param("photoIds") Collection<Long> photoIds);

    /** How many users like a photo. */
    interface LikeCount {
        /**
         * The photo.
         *
         * @return its id
         */
        Long getPhotoId();

        /**
         * How many like it.
         *
         * @return 1 or more
         */
        Long getLikes();
    }
}
