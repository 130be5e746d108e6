package io.github.shardedid.example.photo;

import io.github.shardedid.example.user.User;
import io.github.shardedid.example.user.Users;
import io.github.shardedid.routing.MissingShards;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import io.github.shardedid.spring.id.IdOf;
import io.github.shardedid.topology.ShardRanges;
import jakarta.validation.Valid;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Pages of photos: those of all users, from all shards, and those of one user, from one shard. */
@RestController
class FeedController {
    private final PhotoRepository repository;
    private final Photos photos;
    private final Users users;

    FeedController(PhotoRepository repository, Photos photos, Users users) {
        this.repository = repository;
        this.photos = photos;
        this.users = users;
    }

    /** Omits the photos of databases that are down. The response contains the missing shards. */
    @GetMapping("/photos")
    Feed newest(@Valid Page.Request page, @RequestParam(required = false) @IdOf(User.class) @Nullable Long viewer) {
        long before = page.beforeId();
        long looking = Photos.viewer(viewer);
        MissingShards missing = new MissingShards();
        List<PhotoRow> found = ShardContext.call(
                ShardSet.all().withoutUnreachable(missing),
                () -> repository.findNewest(before, looking, page.oneMore()));
        Page<PhotoView> shown = Page.of("/photos", page, found, PhotoRow::id, this::views);
        int[] without = missing.shards().stream().mapToInt(Integer::intValue).toArray();
        return new Feed(shown.items(), shown.next(), ShardRanges.of(without).toString());
    }

    @GetMapping("/users/{id}/photos")
    Page<PhotoView> photosOf(
            @PathVariable @IdOf(User.class) long id,
            @Valid Page.Request page,
            @RequestParam(required = false) @IdOf(User.class) @Nullable Long viewer) {
        Long author = users.get(id).getId();
        List<PhotoRow> found = repository.findNewestOf(author, page.beforeId(), Photos.viewer(viewer), page.oneMore());
        return Page.of("/users/" + author + "/photos", page, found, PhotoRow::id, this::views);
    }

    private List<PhotoView> views(List<PhotoRow> rows) {
        return rows.stream().map(photos::view).toList();
    }

    /**
     * A page of the photos of all users.
     *
     * @param missing the shards that could not be queried, as ranges; usually empty
     */
    record Feed(List<PhotoView> items, @Nullable String next, String missing) {}
}
