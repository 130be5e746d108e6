package io.github.shardedid.example.user;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.routing.MissingShards;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/** Finds users. Thread-safe. */
@Component
public class Users {
    private final UserRepository repository;
    private final Ids ids;

    Users(UserRepository repository, Ids ids) {
        this.repository = repository;
        this.ids = ids;
    }

    /**
     * Finds a user by id.
     *
     * @param id the user's id
     * @return the user
     * @throws ResponseStatusException with status 404 if there is none
     */
    public User get(long id) {
        return repository
                .findById(id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no user " + id + "."));
    }

    /**
     * Finds the names of users in any shards. Only their shards are queried.
     *
     * @param users ids of users
     * @return the names by id, without users whose database is unreachable
     */
    public Map<Long, String> names(Collection<Long> users) {
        Set<Integer> shards = users.stream().map(ids::shardOf).collect(Collectors.toSet());
        if (shards.isEmpty()) {
            return Map.of();
        }
        ShardSet asked = ShardSet.of(shards).withoutUnreachable(new MissingShards());
        return ShardContext.call(asked, () -> repository.findByIdIn(Set.copyOf(users))).stream()
                .collect(Collectors.toMap(User::getId, User::getName));
    }
}
