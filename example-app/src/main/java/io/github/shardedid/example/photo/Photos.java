package io.github.shardedid.example.photo;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.example.problem.NotFoundException;
import io.github.shardedid.example.user.User;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds photos and shows them. Safe for use by several threads. */
@Component
class Photos {
    private final PhotoRepository repository;
    private final Ids ids;

    Photos(PhotoRepository repository, Ids ids) {
        this.repository = repository;
        this.ids = ids;
    }

    Photo get(long id) {
        return repository.findById(id).orElseThrow(() -> nothing(id));
    }

    /** The photo as a user sees it who looks, or nobody. */
    PhotoView view(long id, @Nullable Long viewer) {
        return repository.findRow(id, viewer(viewer)).map(this::view).orElseThrow(() -> nothing(id));
    }

    PhotoView view(PhotoRow row) {
        return new PhotoView(
                row.id(),
                ids.text(row.id()),
                row.authorId(),
                row.authorName(),
                row.caption(),
                ids.madeAt(row.id()),
                row.likes(),
                row.comments(),
                row.mine() > 0);
    }

    /** A photo that was posted just now. */
    PhotoView posted(Photo photo, User author) {
        return view(new PhotoRow(photo.getId(), author.getId(), author.getName(), photo.getCaption(), 0L, 0L, 0L));
    }

    /** The id of who looks; one that nobody has if it is not said. */
    static long viewer(@Nullable Long id) {
        return id == null ? -1 : id;
    }

    static NotFoundException nothing(long id) {
        return new NotFoundException("There is no photo " + id + ".");
    }
}
