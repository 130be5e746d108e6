package io.github.shardedid.example.photo;

import io.github.shardedid.example.user.User;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;

/** Saves photos with their pictures. Thread-safe. */
@Component
public class Uploads {
    private final PhotoRepository photos;
    private final PhotoImageRepository images;
    private final TransactionOperations transactions;

    Uploads(PhotoRepository photos, PhotoImageRepository images, TransactionOperations transactions) {
        this.photos = photos;
        this.images = images;
        this.transactions = transactions;
    }

    Photo post(User author, String caption, @Nullable Location location, MultipartFile file) {
        try {
            return post(author, caption, location, file.getBytes());
        } catch (IOException e) {
            throw Picture.unreadable("The upload was interrupted. Send the picture again.", e);
        }
    }

    /**
     * Saves a photo and its picture in one transaction, since both are in the author's shard.
     *
     * @param author the author; saved
     * @param caption the caption
     * @param location where it was taken, or null
     * @param content a JPEG, PNG or GIF
     * @return the photo
     * @throws ResponseStatusException with status 415 if the content is not such a picture
     */
    public Photo post(User author, String caption, @Nullable Location location, byte[] content) {
        Picture picture = Picture.of(content);
        return transactions.execute(status -> {
            Photo photo = photos.save(new Photo(author, caption, location));
            images.save(new PhotoImage(photo, picture));
            return photo;
        });
    }
}
