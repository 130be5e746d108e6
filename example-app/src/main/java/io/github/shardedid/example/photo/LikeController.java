package io.github.shardedid.example.photo;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.example.user.Users;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
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

/** Likes over HTTP. The users who like a photo live anywhere, so that only their ids are shown. */
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

    /** A second like of the same user changes nothing. */
    @PostMapping
    ResponseEntity<Liked> like(@PathVariable String id, @Valid @RequestBody NewLike like) {
        Photo photo = photos.get(id);
        Long user = users.get(like.user()).getId();
        boolean added = add(photo, user);
        Liked liked = new Liked(photo.getId().toString(), user.toString(), repository.countByPhotoId(photo.getId()));
        return ResponseEntity.status(added ? HttpStatus.CREATED : HttpStatus.OK).body(liked);
    }

    /** One that was not there is no error. */
    @DeleteMapping("/{user}")
    Liked unlike(@PathVariable String id, @PathVariable String user) {
        Long photo = photos.get(id).getId();
        Long gone = users.get(user).getId();
        repository.findByPhotoIdAndUserId(photo, gone).ifPresent(repository::delete);
        return new Liked(photo.toString(), gone.toString(), repository.countByPhotoId(photo));
    }

    @GetMapping
    Page<LikeView> likes(@PathVariable String id, @Valid Page.Request page) {
        Long photo = photos.get(id).getId();
        List<PhotoLike> found =
                repository.findByPhotoIdAndIdLessThanOrderByIdDesc(photo, page.beforeId(ids), page.oneMore());
        return Page.of("/photos/" + photo + "/likes", page, found, PhotoLike::getId, shown -> shown.stream()
                .map(one -> new LikeView(one.getUserId().toString(), ids.madeAt(one.getId())))
                .toList());
    }

    /** The unique constraint decides, so that two likes at the same time are one, too. */
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

    /** A like that is to be. */
    record NewLike(@NotBlank String user) {}

    /** What has come of a like. */
    record Liked(String photo, String user, long likes) {}

    /** A like as clients see one. */
    record LikeView(String user, Instant createdAt) {}
}
