package io.github.shardedid.example.photo;

import io.github.shardedid.example.user.User;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

/** A Spring Data repository of photos. */
public interface PhotoRepository extends JpaRepository<Photo, Long> {
    /** A photo's author, likes and comments are in its shard, and a copy of its location in the same database: one query reads all. */
    String ROWS = "select new io.github.shardedid.example.photo.PhotoRow(p.id, a.id, a.name, p.caption, t.name,"
            + " (select count(l) from PhotoLike l where l.photo.id = p.id),"
            + " (select count(c) from Comment c where c.photo.id = p.id),"
            + " (select count(m) from PhotoLike m where m.photo.id = p.id and m.userId = :viewer))"
            + " from Photo p join p.author a left join p.location t ";

    /**
     * Finds the newest photos of all users. This queries all shards and merges the rows.
     *
     * @param before finds only photos with smaller ids
     * @param viewer the id of the current user
     * @param limit the maximum number of photos
     * @return photos in descending order of their ids, which is the order of time
     */
    @AllShards
    @Query(ROWS + "where p.id < :before order by p.id desc")
    List<PhotoRow> findNewest(@Param("before") Long before, @Param("viewer") Long viewer, Limit limit);

    /**
     * Finds a user's photos, the newest first. They are in the user's shard, which the annotated parameter contains.
     *
     * @param author the user's id
     * @param before finds only photos with smaller ids
     * @param viewer the id of the current user
     * @param limit the maximum number of photos
     * @return photos in descending order of their ids
     */
    @Query(ROWS + "where a.id = :author and p.id < :before order by p.id desc")
    List<PhotoRow> findNewestOf(
            @ShardKey(references = User.class) @Param("author") Long author,
            @Param("before") Long before,
            @Param("viewer") Long viewer,
            Limit limit);

    /**
     * Finds a photo.
     *
     * @param id the photo's id, which contains its shard
     * @param viewer the id of the current user
     * @return the photo, or empty
     */
    @Query(ROWS + "where p.id = :id")
    Optional<PhotoRow> findRow(@ShardKey(references = Photo.class) @Param("id") Long id, @Param("viewer") Long viewer);
}
