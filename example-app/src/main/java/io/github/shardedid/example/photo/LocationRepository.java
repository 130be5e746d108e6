package io.github.shardedid.example.photo;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

/** A Spring Data repository of locations. */
public interface LocationRepository extends JpaRepository<Location, Integer> {
    /**
     * Finds all locations, in the global database.
     *
     * @return locations in the order of their names
     */
    List<Location> findAllByOrderByName();
}
