package io.github.shardedid.boot.app;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;
import org.springframework.data.jpa.domain.Specification;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.JpaSpecificationExecutor;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;

/** Photos of all shards. */
public interface PhotosEverywhere extends JpaRepository<Photo, Long>, JpaSpecificationExecutor<Photo> {
    @AllShards
    Window<Photo> findFirst3ByCaptionOrderByIdDesc(String caption, ScrollPosition position);

    @AllShards
    Window<Photo> findFirst3ByCaption(String caption, ScrollPosition position, Sort sort);

    @AllShards
    List<Photo> findByCaptionOrderByIdDesc(String caption, Limit limit);

    @AllShards
    Optional<Photo> findTopByCaptionOrderByIdDesc(String caption);

    @AllShards
    Slice<Photo> findSliceByCaption(String caption, Pageable page);

    @AllShards
    Page<Photo> findPageByCaption(String caption, Pageable page);

    @AllShards
    @Query("select p from Photo p where p.caption = :caption")
    Page<Photo> queryPageByCaption(String caption, Pageable page);

    @AllShards
    List<PhotoRepository.Captioned> findProjectedByCaption(String caption);

    @AllShards
    long countByCaption(String caption);

    @AllShards
    boolean existsByCaption(String caption);

    @AllShards
    Stream<Photo> streamByCaptionOrderById(String caption);

    @AllShards
    @Query("select max(p.id) from Photo p where p.caption = :caption")
    Long newestId(String caption);

    @AllShards
    @Query("select p.caption, count(p), max(p.id) from Photo p where p.caption in :captions group by p.caption")
    List<Object[]> counts(List<String> captions);

    @AllShards
    @Query("select p.author.id, count(p) from Photo p where p.caption = :caption group by p.author.id order by 1 desc")
    List<Object[]> authors(String caption, Limit limit);

    @AllShards
    @Query("select distinct p.caption from Photo p where p.caption like :like")
    List<String> captions(String like);

    @AllShards
    @Query(
            "select length(p.caption), avg(length(p.caption)) - length(p.caption) + 3 from Photo p where p.caption in :captions"
                    + " group by length(p.caption) having count(p) >= :least order by count(p) desc")
    List<Object[]> averages(List<String> captions, long least);

    @AllShards
    @Query("select distinct p from Photo p join p.author a where p.caption = :caption and a.id > 0")
    Page<Photo> pageOfDifferent(String caption, Pageable page);

    @AllShards
    @Query("select coalesce(function('stddev_pop', length(p.caption)), 0) from Photo p where p.caption = :caption")
    Double spread(String caption);

    @AllShards
    @NativeQuery("select * from {h-schema}photo p where p.caption = :caption order by p.id")
    List<Photo> natively(String caption);

    @Override
    @AllShards
    List<Photo> findAll(Sort sort);

    @Override
    @AllShards
    long count();

    @Override
    @AllShards
    List<Photo> findAll(Specification<Photo> specification);
}
