package io.github.shardedid.boot.unsharded;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

public interface PetRepository extends JpaRepository<Pet, Long> {
    List<Pet> findByOwnerId(Long owner);

    List<Pet> findByName(String name);
}
