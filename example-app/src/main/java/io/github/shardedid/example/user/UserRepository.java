package io.github.shardedid.example.user;

import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;

/** An ordinary repository. */
public interface UserRepository extends JpaRepository<User, Long> {
    /**
     * Finds a user by the shard key, hence in one shard.
     *
     * @param name the whole name
     * @return the user, or empty
     */
    Optional<User> findByName(String name);
}
