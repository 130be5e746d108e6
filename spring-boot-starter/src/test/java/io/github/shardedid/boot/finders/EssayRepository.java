package io.github.shardedid.boot.finders;

import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;

public interface EssayRepository extends JpaRepository<Essay, Long> {
    Optional<Essay> findBySiteAndSlug(String site, String slug);

    boolean existsBySlugAndSiteAndAuthorName(String slug, String site, String name);

    List<Essay> findByAuthorLoginOrderById(String login);

    List<Essay> findBySlug(String slug);
}
