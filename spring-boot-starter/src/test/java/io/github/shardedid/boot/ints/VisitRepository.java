package io.github.shardedid.boot.ints;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

interface VisitRepository extends JpaRepository<Visit, Integer> {
    List<Visit> findByShopId(int shopId);
}
