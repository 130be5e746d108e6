package io.github.shardedid.example.photo;

import io.github.shardedid.example.user.User;
import io.github.shardedid.example.user.Users;
import io.github.shardedid.spring.id.IdOf;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

/** Photos over HTTP. */
@RestController
class PhotoController {
    private final PhotoRepository repository;
    private final Uploads uploads;
    private final Photos photos;
    private final Users users;

    PhotoController(PhotoRepository repository, Uploads uploads, Photos photos, Users users) {
        this.repository = repository;
        this.uploads = uploads;
        this.photos = photos;
        this.users = users;
    }

    /** Posts a photo without an uploaded picture. */
    @PostMapping(path = "/photos", consumes = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<PhotoView> post(@Valid @RequestBody NewPhoto photo) {
        User author = users.get(photo.author());
        return created(photos.posted(
                repository.save(new Photo(author, photo.caption(), photos.location(photo.location()))), author));
    }

    @PostMapping(path = "/photos", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
    ResponseEntity<PhotoView> upload(@Valid NewUpload upload) {
        User author = users.get(upload.author());
        return created(photos.posted(
                uploads.post(author, upload.caption(), photos.location(upload.location()), upload.picture()), author));
    }

    @GetMapping("/photos/{id}")
    PhotoView photo(
            @PathVariable @IdOf(Photo.class) long id,
            @RequestParam(required = false) @IdOf(User.class) @Nullable Long viewer) {
        return photos.view(id, viewer);
    }

    private static ResponseEntity<PhotoView> created(PhotoView posted) {
        return ResponseEntity.created(URI.create("/photos/" + posted.id())).body(posted);
    }

    /** The request to post a photo. */
    record NewPhoto(
            @NotNull @IdOf(User.class) Long author,
            @NotBlank @Size(max = 2200) String caption,
            @Nullable Integer location) {}

    /** The request to post a photo with a picture. */
    record NewUpload(
            @NotNull @IdOf(User.class) Long author,
            @NotBlank @Size(max = 2200) String caption,
            @Nullable Integer location,
            @NotNull MultipartFile picture) {}
}
