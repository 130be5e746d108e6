package io.github.shardedid.boot.differential;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

public interface Marks extends JpaRepository<Mark, Long> {
    List<Mark> findByAlbumIdOrderByIdDesc(Long albumId);
}
