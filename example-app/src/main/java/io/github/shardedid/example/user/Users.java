package io.github.shardedid.example.user;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.example.problem.NotFoundException;
import org.springframework.stereotype.Component;

/** Finds users by what clients send. Safe for use by several threads. */
@Component
public class Users {
    private final UserRepository repository;
    private final Ids ids;

    Users(UserRepository repository, Ids ids) {
        this.repository = repository;
        this.ids = ids;
    }

    /**
     * The user with an id.
     *
     * @param idOrText the decimal or short text form of the id
     * @return the user
     * @throws NotFoundException if there is none
     * @throws io.github.shardedid.id.MalformedIdException if it is no id
     */
    public User get(String idOrText) {
        long id = ids.parse(idOrText);
        return repository.findById(id).orElseThrow(() -> new NotFoundException("There is no user " + id + "."));
    }
}
