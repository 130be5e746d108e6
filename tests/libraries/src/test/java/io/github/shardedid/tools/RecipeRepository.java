package io.github.shardedid.tools;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import java.util.Optional;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface RecipeRepository extends JpaRepository<Recipe, Long> {
    @Override
    @CacheEvict(cacheNames = "recipes", key = "#p0.id()")
    <S extends Recipe> S save(S recipe);

    /** By its id, which is the key. */
    @Override
    @Cacheable("recipes")
    Optional<Recipe> findById(Long id);

    /** In the shard of the open scope, which is in the key. */
    @Cacheable(cacheNames = "titles", key = "{#start, T(io.github.shardedid.routing.ShardContext).target()}")
    @Query("select r.title from Recipe r where r.title like concat(:start, '%')")
    List<String> titles(String start);

    @AllShards
    List<Recipe> findByTitleOrderById(String title);
}
