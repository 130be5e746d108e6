package io.github.shardedid.example.photo;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.example.user.User;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/** Finds photos and converts them for responses. Thread-safe. */
@Component
class Photos {
    private final PhotoRepository repository;
    private final LocationRepository locations;
    private final Ids ids;

    Photos(PhotoRepository repository, LocationRepository locations, Ids ids) {
        this.repository = repository;
        this.locations = locations;
        this.ids = ids;
    }

    Photo get(long id) {
        return repository.findById(id).orElseThrow(() -> nothing(id));
    }

    /** The photo for a user, or for an anonymous client. */
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
                row.location(),
                ids.createdAt(row.id()),
                row.likes(),
                row.comments(),
                row.mine() > 0);
    }

    /** The location of an id; null for null. */
    @Nullable
    Location location(@Nullable Integer id) {
        return id == null ? null : locations.findById(id).orElseThrow(() -> noLocation(id));
    }

    /** A new photo. */
    PhotoView posted(Photo photo, User author) {
        Location location = photo.getLocation();
        return view(new PhotoRow(
                photo.getId(),
                author.getId(),
                author.getName(),
                photo.getCaption(),
                location == null ? null : location.getName(),
                0L,
                0L,
                0L));
    }

    /** The id of the current user; -1, which no user has, for an anonymous client. */
    static long viewer(@Nullable Long id) {
        return id == null ? -1 : id;
    }

    private static ResponseStatusException noLocation(int id) {
        return new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no location " + id + ".");
    }

    static ResponseStatusException nothing(long id) {
        return new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no photo " + id + ".");
    }
}
