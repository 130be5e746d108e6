package io.github.shardedid.example.photo;

import io.github.shardedid.hibernate.ShardKey;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

/** A Spring Data repository of pictures. */
interface PhotoImageRepository extends JpaRepository<PhotoImage, Long> {
    /** Loads only the thumbnail of a picture. */
    @Query("select i.thumbnail from PhotoImage i where i.photoId = :id")
    Optional<byte[]> findThumbnail(@ShardKey(references = Photo.class) @Param("id") Long id);
}
