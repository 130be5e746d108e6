package io.github.shardedid.boot.shelter;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface KeeperRepository extends JpaRepository<Keeper, Long> {
    List<Keeper> findByName(String name);

    List<Keeper> findTop10ByOrderByName();

    @AllShards
    long countByName(String name);

    /** A function of the application may read other rows. */
    @AllShards
    @Query("select k.name from Keeper k where function('is_busy', k.name) = true")
    List<String> busy();

    @AllShards
    @Query("select a.name from Animal a join a.kind k where k.name = ?1")
    List<String> animalsOf(String kind);
}
