package io.github.shardedid.example.photo;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.example.photo.PhotoLikeRepository.LikeCount;
import io.github.shardedid.example.user.User;
import io.github.shardedid.example.user.Users;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Photos over HTTP. */
@RestController
class PhotoController {
    private final PhotoRepository repository;
    private final PhotoLikeRepository likes;
    private final Photos photos;
    private final Users users;
    private final Ids ids;

    PhotoController(PhotoRepository repository, PhotoLikeRepository likes, Photos photos, Users users, Ids ids) {
        this.repository = repository;
        this.likes = likes;
        this.photos = photos;
        this.users = users;
        this.ids = ids;
    }

    @PostMapping("/photos")
    ResponseEntity<PhotoView> post(@Valid @RequestBody NewPhoto photo) {
        User author = users.get(photo.author());
        PhotoView posted = view(repository.save(new Photo(author, photo.caption())), 0);
        return ResponseEntity.created(URI.create("/photos/" + posted.id())).body(posted);
    }

    @GetMapping("/photos/{id}")
    PhotoView photo(@PathVariable String id) {
        Photo photo = photos.get(id);
        return view(photo, likes.countByPhotoId(photo.getId()));
    }

    @GetMapping("/users/{id}/photos")
    Page<PhotoView> photosOf(@PathVariable String id, @Valid Page.Request page) {
        Long author = users.get(id).getId();
        List<Photo> found =
                repository.findByAuthorIdAndIdLessThanOrderByIdDesc(author, page.beforeId(ids), page.oneMore());
        return Page.of("/users/" + author + "/photos", page, found, Photo::getId, shown -> views(author, shown));
    }

    private List<PhotoView> views(Long author, List<Photo> shown) {
        if (shown.isEmpty()) {
            return List.of();
        }
        Map<Long, Long> counts = likes
                .countByPhotos(author, shown.stream().map(Photo::getId).toList())
                .stream()
                .collect(Collectors.toMap(LikeCount::getPhotoId, LikeCount::getLikes));
        return shown.stream()
                .map(photo -> view(photo, counts.getOrDefault(photo.getId(), 0L)))
                .toList();
    }

    private PhotoView view(Photo photo, long likeCount) {
        Long id = photo.getId();
        return new PhotoView(
                id.toString(),
                ids.text(id),
                photo.getAuthor().getId().toString(),
                photo.getCaption(),
                ids.madeAt(id),
                likeCount);
    }

    /** A photo that is to be. */
    record NewPhoto(@NotBlank String author, @NotBlank @Size(max = 2200) String caption) {}

    /** A photo as clients see one. */
    record PhotoView(String id, String text, String author, String caption, Instant createdAt, long likes) {}
}
