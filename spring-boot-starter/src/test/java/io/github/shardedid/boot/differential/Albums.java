package io.github.shardedid.boot.differential;

import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.spring.data.AllShards;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.EntityGraph;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

public interface Albums extends JpaRepository<Album, Long>, JpaSpecificationExecutor<Album> {
    List<Album> findByOwnerIdOrderByRatingAscIdDesc(Long owner, Limit limit);

    List<Album> findByOwnerIdAndIdBetweenOrderById(Long owner, Long from, Long to);

    long countByOwnerId(Long owner);

    boolean existsByOwnerIdAndRating(Long owner, Integer rating);

    Window<Album> findFirst2ByOwnerIdOrderById(Long owner, ScrollPosition position);

    <T> List<T> findByOwnerIdOrderById(Long owner, Class<T> type);

    @EntityGraph(attributePaths = {"owner", "tags"})
    Optional<Album> findWithTagsById(Long id);

    @Modifying(flushAutomatically = true, clearAutomatically = true)
    @Transactional
    @Query("update Album a set a.title = :title where a.owner.id = :owner")
    int retitle(@ShardKey Long owner, String title);

    @Query("select sum(a.rating) from Album a where a.owner = :owner")
    Optional<Long> total(@ShardKey Member owner);

    List<Album> findByIdInOrderByRatingDescIdAsc(Collection<Long> ids, Limit limit);

    Page<Album> findPageByIdInOrderByRatingAscIdDesc(Collection<Long> ids, Pageable page);

    List<Album> findByOwnerIdInAndRatingGreaterThan(Collection<Long> owners, int rating);

    long countByOwnerIdIn(Collection<Long> owners);

    boolean existsByTitleAndOwnerIdIn(String title, Collection<Long> owners);

    @Query("select a from Album a join fetch a.owner o where o.id in :owners and a.rating >= :rating order by a.id")
    List<Album> owned(List<Long> owners, int rating);

    @AllShards
    List<Album> findByRatingGreaterThanOrderByRatingDescIdAsc(int rating, Limit limit);

    @AllShards
    List<Album> findByIdBetweenOrderByRatingDesc(Long from, Long to);

    @AllShards
    Window<Album> findFirst3ByRatingGreaterThan(int rating, ScrollPosition position, Sort sort);

    @AllShards
    Slice<Album> findSliceByRatingGreaterThanOrderById(int rating, Pageable page);

    @AllShards
    Page<Album> findPageByRatingGreaterThanOrderByIdDesc(int rating, Pageable page);

    @AllShards
    List<Titled> findProjectedByRatingOrderById(int rating);

    @AllShards
    long countByRating(int rating);

    @AllShards
    boolean existsByTitle(String title);

    @AllShards
    @Query("select sum(a.rating), min(a.id), max(a.rating), count(a.title) from Album a where a.rating > :rating")
    List<Object[]> figures(int rating);

    @AllShards
    @Query("select a from Album a left join fetch a.shots join fetch a.owner where a.rating > :rating order by a.id")
    List<Album> fetched(int rating);

    @AllShards
    @NativeQuery("select * from {h-schema}album a where a.rating > :rating order by a.rating, a.id desc")
    List<Album> natively(int rating);

    @AllShards
    @Query("select a from Album a where :tag member of a.tags order by a.id desc")
    List<Album> tagged(String tag);

    @Override
    @AllShards
    List<Album> findAll(Sort sort);

    @Override
    @AllShards
    long count();

    @Override
    @AllShards
    <S extends Album> List<S> findAll(Example<S> example, Sort sort);

    @Override
    @AllShards
    List<Album> findAll(Specification<Album> specification, Sort sort);
}
