package io.github.shardedid.boot.refused;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface RemarkRepository extends JpaRepository<Remark, Long> {
    @AllShards
    List<Remark> findByAuthorId(Long id);

    List<Remark> findByPage(long page);

    List<Remark> findByWords(String words);

    @AllShards
    @Query("select r from Remark r join r.author a where a.name = :name")
    List<Remark> joined(String name);

    @Query("select r from Remark r join fetch r.author where r.id = :id")
    List<Remark> fetched(Long id);

    @AllShards
    List<Remark> findByAuthorNameStartingWith(String start);

    @AllShards
    List<Remark> findByPageOrderByAuthorName(long page);

    @Query("select r from Remark r where r.words = :words")
    List<Remark> byWords(@ShardKey String words);

    @AllShards
    void deleteByWords(String words);
}
