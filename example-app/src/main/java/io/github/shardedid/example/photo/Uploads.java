package io.github.shardedid.example.photo;

import io.github.shardedid.example.user.User;
import java.io.IOException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.web.multipart.MultipartFile;

/** Keeps photos with their pictures. Safe for use by several threads. */
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

    Photo post(User author, String caption, MultipartFile file) {
        try {
            return post(author, caption, file.getBytes());
        } catch (IOException e) {
            throw new UnreadablePictureException("The upload broke off. Send the picture again.", e);
        }
    }

    /**
     * Keeps both or neither. They are in the author's shard, so that one transaction can.
     *
     * @param author who posts it; saved
     * @param caption what is to be seen
     * @param content a JPEG, PNG or GIF
     * @return the photo
     * @throws UnreadablePictureException if it is no such picture
     */
    public Photo post(User author, String caption, byte[] content) {
        Picture picture = Picture.of(content);
        return transactions.execute(status -> {
            Photo photo = photos.save(new Photo(author, caption));
            images.save(new PhotoImage(photo, picture));
            return photo;
        });
    }
}
