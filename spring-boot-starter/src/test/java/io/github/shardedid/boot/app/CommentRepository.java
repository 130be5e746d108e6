package io.github.shardedid.boot.app;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

public interface CommentRepository extends JpaRepository<Comment, Long> {
    List<Comment> findByPhotoId(Long photoId);

    List<Comment> findByPhotoAuthorId(Long authorId);
}
