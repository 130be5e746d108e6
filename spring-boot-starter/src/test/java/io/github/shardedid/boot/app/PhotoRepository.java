package io.github.shardedid.boot.app;

import io.github.shardedid.hibernate.ShardKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.transaction.annotation.Transactional;

public interface PhotoRepository extends JpaRepository<Photo, Long>, JpaSpecificationExecutor<Photo> {
    List<Photo> findByAuthorIdOrderByIdDesc(@Nullable Long authorId, Limit limit);

    List<Photo> findByAuthorIdAndIdLessThanOrderByIdDesc(Long authorId, Long id, Limit limit);

    List<Photo> findByAuthor(User author);

    Page<Photo> findByCaptionAndAuthorId(String caption, Long authorId, Pageable page);

    List<Photo> findByAuthorId(Long authorId, Sort sort);

    Window<Photo> findFirst2ByAuthorIdOrderById(Long authorId, ScrollPosition position);

    <T> List<T> findByAuthorIdAndCaptionStartingWith(Long authorId, String start, Class<T> type);

    long countByAuthorId(Long authorId);

    boolean existsByAuthorIdAndCaption(Long authorId, String caption);

    Optional<Captioned> findProjectedById(Long id);

    Stream<Photo> streamByAuthorId(Long authorId);

    @Transactional
    long deleteByAuthorId(Long authorId);

    List<Photo> findByCaption(String caption);

    List<Photo> findByIdInOrderByIdDesc(Collection<Long> ids, Limit limit);

    Page<Photo> findByAuthorIdIn(Collection<Long> authors, Pageable page);

    Set<Photo> findByAuthorInAndCaption(User[] authors, String caption);

    List<Photo> findByIdNotIn(Collection<Long> ids);

    List<Photo> findByIdInOrCaption(Collection<Long> ids, String caption);

    List<Photo> findByCaptionAndIdIn(String caption, Iterable<Long> ids);

    @Query("select p from Photo p where p.id in :ids")
    List<Photo> listedOnce(Iterable<Long> ids);

    long countByIdIn(Collection<Long> ids);

    @Transactional
    long deleteByIdIn(Collection<Long> ids);

    @Query("select p from Photo p where p.id in :ids and p.caption = :caption order by p.id")
    List<Photo> listed(@Nullable Collection<Long> ids, String caption);

    @Query("select p from Photo p where p.id not in :ids")
    List<Photo> unlisted(Collection<Long> ids);

    List<Photo> findByAuthorIdOrCaption(Long authorId, String caption);

    @Query("select p from Photo p where p.author.id = :author and p.caption like :like")
    List<Photo> matching(@ShardKey Long author, String like);

    @Query("select p from Photo p join fetch p.author where p.author = :author")
    List<Photo> withAuthor(@ShardKey User author);

    @NativeQuery("select * from {h-schema}photo where author_id = :author order by id")
    List<Photo> natively(@ShardKey(references = User.class) Long author);

    @Transactional
    @Modifying
    @Query("update Photo p set p.caption = :caption where p.author.id = :author")
    int recaption(@ShardKey Long author, String caption);

    @Query("select p from Photo p where p.caption = :caption")
    List<Photo> unrouted(String caption);

    default List<Photo> latestOf(User author) {
        return findByAuthorIdOrderByIdDesc(author.id(), Limit.of(1));
    }

    /** A projection. */
    interface Captioned {
        String getCaption();
    }
}
