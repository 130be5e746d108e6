package io.github.shardedid.example.photo;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

/** A Spring Data repository of places. */
public interface PlaceRepository extends JpaRepository<Place, Integer> {
    /**
     * Finds all places, in the global database.
     *
     * @return places in the order of their names
     */
    List<Place> findAllByOrderByName();
}
