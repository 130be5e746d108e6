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

/** An ordinary repository. */
public interface PhotoRepository extends JpaRepository<Photo, Long> {
    /** A photo's author, likes and comments live in its shard, so that one query has them all. */
    String ROWS = "select new io.github.shardedid.example.photo.PhotoRow(p.id, a.id, a.name, p.caption,"
            + " (select count(l) from PhotoLike l where l.photo.id = p.id),"
            + " (select count(c) from Comment c where c.photo.id = p.id),"
            + " (select count(m) from PhotoLike m where m.photo.id = p.id and m.userId = :viewer))"
            + " from Photo p join p.author a ";

    /**
     * The newest photos of everybody: all shards are asked, and their rows are merged.
     *
     * @param before photos older than this one only
     * @param viewer the id of who looks
     * @param limit how many at most
     * @return photos in descending order of their ids, which is that of time
     */
    @AllShards
    @Query(ROWS + "where p.id < :before order by p.id desc")
    List<PhotoRow> findNewest(@Param("before") Long before, @Param("viewer") Long viewer, Limit limit);

    /**
     * A user's photos, the newest first: all in the user's shard, which the annotated parameter names.
     *
     * @param author the user's id
     * @param before photos older than this one only
     * @param viewer the id of who looks
     * @param limit how many at most
     * @return photos in descending order of their ids
     */
    @Query(ROWS + "where a.id = :author and p.id < :before order by p.id desc")
    List<PhotoRow> findNewestOf(
            @ShardKey(references = User.class) @Param("author") Long author,
            @Param("before") Long before,
            @Param("viewer") Long viewer,
            Limit limit);

    /**
     * One photo.
     *
     * @param id the photo's id, which names its shard
     * @param viewer the id of who looks
     * @return the photo, or empty
     */
    @Query(ROWS + "where p.id = :id")
    Optional<PhotoRow> findRow(@ShardKey(references = Photo.class) @Param("id") Long id, @Param("viewer") Long viewer);
}
