package io.github.shardedid.boot.app;

import java.util.List;
import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.jpa.repository.JpaRepository;

public interface ThemeRepository extends JpaRepository<Theme, Long> {
    @EntityGraph(attributePaths = "setting")
    List<Theme> findBySettingContent(String content);
}
