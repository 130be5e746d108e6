package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ShardKey;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/** Repositories whose parameter with {@code @ShardKey} cannot decide the shard. */
final class MisplacedShardKeys {
    private MisplacedShardKeys() {}

    interface Text extends Repository<Visit, Long> {
        @Query("from Visit v where v.visitor = :key")
        List<Visit> find(@ShardKey String key);
    }

    interface Maybe extends Repository<Visit, Long> {
        @Query("from Visit v where v.visitor = :key")
        List<Visit> find(@ShardKey Optional<Long> key);
    }

    interface Several extends Repository<Visit, Long> {
        @Query("from Visit v where v.visitor in :key")
        List<Visit> find(@ShardKey List<Long> key);
    }

    interface Numbers extends Repository<Visit, Long> {
        @Query("from Visit v where v.visitor in (:key)")
        List<Visit> find(@ShardKey Long[] key);
    }

    interface Later extends Repository<Visit, Long> {
        @Query("from Visit v where v.id > :key")
        List<Visit> find(@ShardKey Long key);
    }

    interface OfPage extends Repository<Visit, Long> {
        @Query("from Visit v where v.page = :key")
        List<Visit> find(@ShardKey String key);
    }

    interface ByUuid extends Repository<Hashtag, Long> {
        @NativeQuery("select * from {h-schema}hashtag where name = :key")
        List<Hashtag> find(@ShardKey UUID key);
    }

    interface Specified extends Repository<Visit, Long> {
        List<Visit> findByPage(@ShardKey Specification<Visit> key);
    }

    interface OfBase extends org.springframework.data.jpa.repository.JpaRepository<Visit, Long> {
        @Override
        Optional<Visit> findById(@ShardKey Long id);
    }

    interface Both extends Repository<Visit, Long> {
        @Query("from Visit v where v.id = :key and v.visitor = :key")
        List<Visit> find(@ShardKey Long key);
    }
}
