package io.github.shardedid.example.photo;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.example.problem.NotFoundException;
import org.springframework.stereotype.Component;

/** Finds photos by what clients send. Safe for use by several threads. */
@Component
class Photos {
    private final PhotoRepository repository;
    private final Ids ids;

    Photos(PhotoRepository repository, Ids ids) {
        this.repository = repository;
        this.ids = ids;
    }

    /** The photo with an id in decimal or short text form. */
    Photo get(String idOrText) {
        long id = ids.parse(idOrText);
        return repository.findById(id).orElseThrow(() -> new NotFoundException("There is no photo " + id + "."));
    }
}
