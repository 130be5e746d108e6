package io.github.shardedid.example.photo;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;

/** An ordinary repository. */
public interface PhotoRepository extends JpaRepository<Photo, Long> {
    /**
     * A user's photos, the newest first: all in the user's shard.
     *
     * @param authorId the user's id
     * @param before photos older than this one only
     * @param limit how many at most
     * @return photos in descending order of their ids, which is that of time
     */
    List<Photo> findByAuthorIdAndIdLessThanOrderByIdDesc(Long authorId, Long before, Limit limit);
}
