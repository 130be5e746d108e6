package io.github.shardedid.example.photo;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

/** An ordinary repository. */
public interface CommentRepository extends JpaRepository<Comment, Long> {
    /**
     * What is said of a photo, the latest first.
     *
     * @param photoId the photo's id
     * @param before comments older than this one only
     * @param limit how many at most
     * @return comments in descending order of their ids
     */
    List<Comment> findByPhotoIdAndIdLessThanOrderByIdDesc(Long photoId, Long before, Limit limit);
}
