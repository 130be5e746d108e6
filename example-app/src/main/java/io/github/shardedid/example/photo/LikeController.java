package io.github.shardedid.example.photo;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.example.user.User;
import io.github.shardedid.example.user.Users;
import io.github.shardedid.spring.id.IdOf;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;
import java.util.List;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Likes over HTTP. The users who like a photo may be in any shard, so only their ids are shown. */
@RestController
@RequestMapping("/photos/{id}/likes")
class LikeController {
    private final PhotoLikeRepository repository;
    private final Photos photos;
    private final Users users;
    private final Ids ids;

    LikeController(PhotoLikeRepository repository, Photos photos, Users users, Ids ids) {
        this.repository = repository;
        this.photos = photos;
        this.users = users;
        this.ids = ids;
    }

    /** A second like by the same user has no effect. */
    @PostMapping
    ResponseEntity<Liked> like(@PathVariable @IdOf(Photo.class) long id, @Valid @RequestBody NewLike like) {
        Photo photo = photos.get(id);
        Long user = users.get(like.user()).getId();
        boolean added = add(photo, user);
        Liked liked = new Liked(photo.getId(), user, repository.countByPhotoId(photo.getId()));
        return ResponseEntity.status(added ? HttpStatus.CREATED : HttpStatus.OK).body(liked);
    }

    /** Removing a like that does not exist is not an error. */
    @DeleteMapping("/{user}")
    Liked unlike(@PathVariable @IdOf(Photo.class) long id, @PathVariable @IdOf(User.class) long user) {
        Long photo = photos.get(id).getId();
        Long gone = users.get(user).getId();
        repository.findByPhotoIdAndUserId(photo, gone).ifPresent(repository::delete);
        return new Liked(photo, gone, repository.countByPhotoId(photo));
    }

    @GetMapping
    Page<LikeView> likes(@PathVariable @IdOf(Photo.class) long id, @Valid Page.Request page) {
        Long photo = photos.get(id).getId();
        List<PhotoLike> found =
                repository.findByPhotoIdAndIdLessThanOrderByIdDesc(photo, page.beforeId(), page.oneMore());
        return Page.of("/photos/" + photo + "/likes", page, found, PhotoLike::getId, shown -> shown.stream()
                .map(one -> new LikeView(one.getUserId(), ids.createdAt(one.getId())))
                .toList());
    }

    /** The unique constraint prevents duplicates, also of concurrent requests. */
    private boolean add(Photo photo, Long user) {
        try {
            repository.save(new PhotoLike(photo, user));
            return true;
        } catch (DataIntegrityViolationException e) {
            if (repository.existsByPhotoIdAndUserId(photo.getId(), user)) {
                return false;
            }
            throw e;
        }
    }

    /** The request to like a photo. */
    record NewLike(@NotNull @IdOf(User.class) Long user) {}

    /** The number of likes after a change. */
    record Liked(@IdOf(Photo.class) long photo, @IdOf(User.class) long user, long likes) {}

    /** A like in responses. */
    record LikeView(@IdOf(User.class) long user, Instant createdAt) {}
}
