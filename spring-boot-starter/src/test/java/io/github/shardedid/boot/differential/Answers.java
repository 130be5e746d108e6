package io.github.shardedid.boot.differential;

import io.github.shardedid.hibernate.ShardKey;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Window;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.data.util.Streamable;
import org.springframework.transaction.annotation.Transactional;

/** Queries with results of each type. */
public interface Answers extends Repository<Album, Long> {
    /** An aggregate, which always has one row. */
    interface Stats {
        long getN();

        @Nullable
        Long getRatings();
    }

    /** The same. */
    record Figures(Long n, @Nullable Long ratings) {}

    @Query("select case when count(a) > 0 then false else true end from Album a where a.owner.id = :owner")
    boolean isFree(Long owner);

    @Query("select case when count(a) > 0 then false else true end from Album a where a.owner.id = :owner")
    Boolean isFreeByKey(@ShardKey Long owner);

    @Query("select count(a) = 0 from Album a where a.id in :ids and a.rating > 1")
    boolean noneRated(Collection<Long> ids);

    @Query("select count(a) as n, sum(a.rating) as ratings from Album a where a.owner.id = :owner")
    @Nullable
    Stats stats(Long owner);

    @Query("select count(a) as n, sum(a.rating) as ratings from Album a where a.id in :ids")
    Optional<Stats> statsOf(Collection<Long> ids);

    @Query("select new io.github.shardedid.boot.differential.Answers$Figures(count(a), sum(a.rating)) from Album a"
            + " where a.owner.id = :owner")
    @Nullable
    Figures figures(Long owner);

    @Query("select count(a), sum(a.rating) from Album a where a.owner.id = :owner")
    List<Object[]> rowsOf(Long owner);

    @Query("select count(a), sum(a.rating) from Album a where a.id in :ids")
    @Nullable
    Object[] rowOf(Collection<Long> ids);

    @Query("select count(a) as n, sum(a.rating) as ratings from Album a where a.owner.id = :owner")
    @Nullable
    Map<String, Object> mapOf(Long owner);

    @Query("select coalesce(sum(a.rating), 0) from Album a where a.id in :ids")
    long ratings(Collection<Long> ids);

    @Query("select sum(a.rating) from Album a where a.id in :ids")
    @Nullable
    Long ratingsOrNull(Collection<Long> ids);

    @Query("select max(a.rating) from Album a where a.owner.id = :owner")
    @Nullable
    Integer best(Long owner);

    @Query("select coalesce(max(a.title), 'none') from Album a where a.owner.id = :owner")
    String lastTitle(Long owner);

    @Query("select coalesce(sum(cast(a.rating as BigDecimal)), 0) from Album a where a.owner.id = :owner")
    BigDecimal exactly(Long owner);

    @Query("select 1 + count(a) from Album a where a.owner.id = :owner")
    int countWithOne(Long owner);

    @Query("select count(a) from Album a where a.owner.id = :owner")
    CompletableFuture<Long> countLater(Long owner);

    @Query("select count(a) from Album a where a.id in :ids")
    @Nullable
    Object countAsObject(Collection<Long> ids);

    @Query("select a from Album a where a.owner.id = :owner order by a.id")
    List<Album> declared(Long owner);

    @Query("select a from Album a where a.id in :ids order by a.id")
    Set<Album> declaredSet(Collection<Long> ids);

    @Query("select a from Album a where a.id in :ids order by a.id")
    AlbumList declaredAlbums(Collection<Long> ids);

    @Query("select a from Album a where a.owner.id = :owner order by a.id")
    Stream<Album> declaredStream(Long owner);

    @Query("select a from Album a where a.owner.id = :owner order by a.id")
    Page<Album> declaredPage(Long owner, Pageable page);

    @Query("select a from Album a where a.id in :ids order by a.id")
    Slice<Album> declaredSlice(Collection<Long> ids, Pageable page);

    @Query("select a from Album a where a.id = :id")
    Optional<Album> declaredById(Long id);

    @Query("select a from Album a where a.id = :id")
    @Nullable
    Album declaredOrNull(Long id);

    @NativeQuery("select count(*) = 0 from {h-schema}album where owner_id = :owner")
    boolean nativelyNone(@ShardKey Long owner);

    @NativeQuery("select coalesce(sum(rating), 0) from {h-schema}album where id in (:ids)")
    long nativeRatings(Collection<Long> ids);

    /** A named query of the entity. */
    boolean hasNone(Long owner);

    @Transactional
    @Modifying
    @Query("update Album a set a.title = 'x' where a.id in :ids and a.rating > 100")
    int retitle(Collection<Long> ids);

    List<Album> findByOwnerIdOrderById(Long owner);

    Collection<Album> findCollectionByOwnerIdOrderById(Long owner);

    Iterable<Album> findIterableByIdInOrderById(Collection<Long> ids);

    Set<Album> findSetByIdInOrderById(Collection<Long> ids);

    Streamable<Album> findStreamableByIdInOrderById(Collection<Long> ids);

    AlbumList findByIdInOrderById(Collection<Long> ids);

    AlbumList findAlbumsByOwnerIdOrderById(Long owner);

    Optional<Album> findFirstByOwnerIdOrderById(Long owner);

    @Nullable
    Album findTopByIdInOrderById(Collection<Long> ids);

    Stream<Album> streamByOwnerIdOrderById(Long owner);

    Page<Album> findPageByOwnerIdOrderById(Long owner, Pageable page);

    Page<Album> findPageByIdInOrderById(Collection<Long> ids, Pageable page);

    Slice<Album> findSliceByOwnerIdOrderById(Long owner, Pageable page);

    Window<Album> findTop2ByOwnerIdOrderById(Long owner, ScrollPosition position);

    long countByOwnerId(Long owner);

    Integer countByIdIn(Collection<Long> ids);

    Optional<Long> countAlbumsByOwnerId(Long owner);

    boolean existsByOwnerId(Long owner);

    Boolean existsByIdIn(Collection<Long> ids);

    @Nullable
    Titled findTitledById(Long id);

    Optional<Titled> findOptionalTitledById(Long id);

    List<Titled> findTitledByOwnerIdOrderById(Long owner);

    <T> Optional<T> findDynamicById(Long id, Class<T> type);

    CompletableFuture<List<Album>> findLaterByOwnerIdOrderById(Long owner);

    @Nullable
    Object findObjectById(Long id);

    Album[] findArrayByOwnerIdOrderById(Long owner);
}
