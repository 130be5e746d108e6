package io.github.shardedid.extensions;

import io.github.shardedid.spring.data.AllShards;
import java.util.Collection;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

interface BookRepository extends JpaRepository<Book, Long> {
    @AllShards
    List<Book> findByTitleOrderByLanguage(String title);

    List<Book> findByIdInAndTitle(Collection<Long> ids, String title);
}
