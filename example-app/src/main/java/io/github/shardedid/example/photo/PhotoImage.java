package io.github.shardedid.example.photo;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import org.jspecify.annotations.Nullable;

/** The picture of a photo. It shares the photo's id, so it is stored in the photo's shard. */
@Entity
public class PhotoImage {
    @Id
    private @Nullable Long photoId;

    @MapsId
    @OneToOne(fetch = FetchType.LAZY)
    private Photo photo;

    private String contentType;
    private byte[] content;
    private byte[] thumbnail;

    /** For Hibernate. */
    @SuppressWarnings("NullAway.Init")
    protected PhotoImage() {}

    /**
     * Creates a picture.
     *
     * @param photo the photo; saved
     * @param picture the uploaded picture
     */
    PhotoImage(Photo photo, Picture picture) {
        this.photo = photo;
        this.contentType = picture.contentType();
        this.content = picture.content();
        this.thumbnail = picture.thumbnail();
    }

    /**
     * The photo.
     *
     * @return a photo, or a proxy that has only the id
     */
    public Photo getPhoto() {
        return photo;
    }

    /**
     * The content type.
     *
     * @return a media type such as {@code image/png}
     */
    public String getContentType() {
        return contentType;
    }

    /**
     * The picture as it was uploaded.
     *
     * @return a copy
     */
    public byte[] getContent() {
        return content.clone();
    }

    /**
     * The thumbnail.
     *
     * @return a copy of a JPEG
     */
    public byte[] getThumbnail() {
        return thumbnail.clone();
    }
}
