package io.github.shardedid.boot.ints;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

interface ArticleRepository extends JpaRepository<Article, Integer> {
    List<Article> findByShopIdOrderById(Integer shopId);

    long countByShop(Shop shop);
}
