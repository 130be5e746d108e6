package io.github.shardedid.example.user;

import io.github.shardedid.spring.data.AllShards;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;

/** A Spring Data repository of users. */
public interface UserRepository extends JpaRepository<User, Long> {
    /**
     * Finds a user by shard key, which queries one shard.
     *
     * @param name the full name
     * @return the user, or empty
     */
    Optional<User> findByName(String name);

    /**
     * Finds users of several shards.
     *
     * @param ids their ids
     * @return the existing users, in no particular order
     */
    @AllShards
    List<User> findByIdIn(Collection<Long> ids);
}
