package io.github.shardedid.boot.ownids;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface OrderRepository extends JpaRepository<Order, UUID> {
    List<Order> findByCustomerIdOrderByWords(long customerId);

    Optional<Order> findByIdAndCustomerId(UUID id, long customerId);

    @AllShards
    List<Order> findByWordsStartingWithOrderByWords(String words);

    long deleteByCustomer(Customer customer);
}
