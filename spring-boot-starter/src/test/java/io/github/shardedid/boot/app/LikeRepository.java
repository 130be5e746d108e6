package io.github.shardedid.boot.app;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

public interface LikeRepository extends JpaRepository<Like, Long> {
    List<Like> findByPhotoId(long photoId);
}
