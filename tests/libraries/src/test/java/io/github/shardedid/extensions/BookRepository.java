package io.github.shardedid.extensions;

import io.github.shardedid.spring.data.AllShards;
import jakarta.persistence.LockModeType;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;

interface BookRepository extends JpaRepository<Book, Long> {
    @AllShards
    List<Book> findByTitleOrderByLanguage(String title);

    @Lock(LockModeType.PESSIMISTIC_WRITE)
    Optional<Book> findLockedById(Long id);

    List<Book> findByIdInAndTitle(Collection<Long> ids, String title);
}
