package io.github.shardedid.example.photo;

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
}
