package io.github.shardedid.boot.refused;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import java.util.Optional;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface AuthorRepository extends JpaRepository<Author, Long> {
    @Query("select a from Author a where a.id = :first or a.id = :second")
    List<Author> both(@ShardKey Long first, @ShardKey Long second);

    @Override
    @Cacheable("authors")
    Optional<Author> findById(Long id);

    @Cacheable("authors")
    List<Author> findByName(String name);

    /** Of fewer shards in the scope of some. */
    @Cacheable("lists")
    List<Author> findByIdIn(List<Long> ids);

    @AllShards
    @Cacheable("counts")
    long countByName(String name);

    @Cacheable(cacheNames = "authors", key = "{#name, T(io.github.shardedid.routing.ShardContext).target()}")
    List<Author> findByNameEndingWith(String name);
}
