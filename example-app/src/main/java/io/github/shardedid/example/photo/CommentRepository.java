package io.github.shardedid.example.photo;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

/** A Spring Data repository of comments. */
public interface CommentRepository extends JpaRepository<Comment, Long> {
    /**
     * Finds the comments on a photo, the latest first.
     *
     * @param photoId the photo's id
     * @param before finds only comments with smaller ids
     * @param limit the maximum number of comments
     * @return comments in descending order of their ids
     */
    List<Comment> findByPhotoIdAndIdLessThanOrderByIdDesc(Long photoId, Long before, Limit limit);

    /**
     * Finds a user's comments of all shards.
     *
     * @param userId the user's id
     * @return comments in no particular order
     */
    @AllShards
    List<Comment> findByUserId(Long userId);
}
