package io.github.shardedid.boot.ints;

import io.github.shardedid.hibernate.ShardKey;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface ShopRepository extends JpaRepository<Shop, Integer> {
    @Query("select s.name from Shop s where s.id = :id")
    Optional<String> nameOf(@ShardKey(references = Shop.class) int id);
}
