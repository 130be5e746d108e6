package io.github.shardedid.boot.events;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

public interface Entries extends JpaRepository<Entry, Long>, JpaSpecificationExecutor<Entry>, EntryCounts {
    List<Entry> findByVisitor(long visitor);

    @Query("select e from Entry e where e.visitor = :visitor")
    List<Entry> declared(@ShardKey long visitor);

    List<Entry> findByVisitorIn(List<Long> visitors);

    @AllShards
    List<Entry> findByPageOrderById(String page);

    long countByPage(String page);

    @Transactional
    long deleteByVisitor(long visitor);

    /** Own code that asks for the shard of its argument. */
    default long countIn(@ShardKey long visitor, String page) {
        return countByPage(page);
    }

    /** Own code that asks for all shards. */
    @AllShards
    default long countEverywhere(String page) {
        return countByPage(page);
    }
}
