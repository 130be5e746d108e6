package io.github.shardedid.example.photo;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.example.scenery.Scenery;
import io.github.shardedid.spring.id.IdOf;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.WebRequest;

/** Serves the pictures of photos. They never change, so browsers cache them. */
@RestController
class ImageController {
    private static final Duration MAX_AGE = Duration.ofDays(365);

    private final PhotoImageRepository images;
    private final PhotoRepository photos;
    private final Ids ids;

    ImageController(PhotoImageRepository images, PhotoRepository photos, Ids ids) {
        this.images = images;
        this.photos = photos;
        this.ids = ids;
    }

    @GetMapping("/photos/{id}/image")
    ResponseEntity<byte[]> image(@PathVariable @IdOf(Photo.class) long id, WebRequest request) {
        return answer(id, "i", request, photo -> images.findById(photo)
                .map(image -> new Sent(image.getContentType(), image.getContent()))
                .orElseGet(() -> drawn(photo)));
    }

    @GetMapping("/photos/{id}/thumbnail")
    ResponseEntity<byte[]> thumbnail(@PathVariable @IdOf(Photo.class) long id, WebRequest request) {
        return answer(id, "t", request, photo -> images.findThumbnail(photo)
                .map(bytes -> new Sent(MediaType.IMAGE_JPEG_VALUE, bytes))
                .orElseGet(() -> drawn(photo)));
    }

    /** A client with the right ETag has the picture, so no query is needed. */
    private ResponseEntity<byte[]> answer(long id, String size, WebRequest request, Function<Long, Sent> find) {
        String tag = '"' + size + ids.text(id) + '"';
        if (request.checkNotModified(tag)) {
            return ResponseEntity.status(304).eTag(tag).cacheControl(caching()).build();
        }
        Sent sent = find.apply(id);
        return ResponseEntity.ok()
                .eTag(tag)
                .cacheControl(caching())
                .contentType(MediaType.parseMediaType(sent.type()))
                .header("X-Content-Type-Options", "nosniff")
                .body(sent.bytes());
    }

    private static CacheControl caching() {
        return CacheControl.maxAge(MAX_AGE).cachePublic().immutable();
    }

    private Sent drawn(long id) {
        if (!photos.existsById(id)) {
            throw Photos.nothing(id);
        }
        return new Sent(MediaType.IMAGE_JPEG_VALUE, Picture.jpeg(new Scenery(id).draw(640, 480)));
    }

    @SuppressWarnings("ArrayRecordComponent") // handed from one method to the next, and never compared
    private record Sent(String type, byte[] bytes) {}
}
