package io.github.shardedid.example.user;

import io.github.shardedid.spring.data.AllShards;
import java.util.Collection;
import java.util.List;
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

    /**
     * Finds users of several shards.
     *
     * @param ids their ids
     * @return those that there are, in no order
     */
    @AllShards
    List<User> findByIdIn(Collection<Long> ids);
}
