package io.github.shardedid.boot.ownids;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface CouponRepository extends JpaRepository<Coupon, String> {
    @Query("select c from Coupon c where c.code = :code")
    Optional<Coupon> find(String code, @ShardKey(references = Customer.class) long customerId);

    @AllShards
    @Query("select c.words from Coupon c where c.code = :code order by c.words")
    List<String> wordsOfAll(String code);

    @AllShards
    List<Coupon> findByWords(String words);
}
