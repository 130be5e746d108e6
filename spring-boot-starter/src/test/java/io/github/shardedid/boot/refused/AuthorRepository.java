package io.github.shardedid.boot.refused;

import io.github.shardedid.hibernate.ShardKey;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface AuthorRepository extends JpaRepository<Author, Long> {
    @Query("select a from Author a where a.id = :first or a.id = :second")
    List<Author> both(@ShardKey Long first, @ShardKey Long second);
}
