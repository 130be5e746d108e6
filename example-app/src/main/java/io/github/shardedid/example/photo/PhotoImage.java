package io.github.shardedid.example.photo;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import org.jspecify.annotations.Nullable;

/** The picture of a photo. It takes over the photo's id, and so lives in its shard. */
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
     * A new picture.
     *
     * @param photo what it belongs to; saved
     * @param picture what was uploaded
     */
    PhotoImage(Photo photo, Picture picture) {
        this.photo = photo;
        this.contentType = picture.contentType();
        this.content = picture.content();
        this.thumbnail = picture.thumbnail();
    }

    /**
     * What it belongs to.
     *
     * @return a photo, of which perhaps only the id is loaded
     */
    public Photo getPhoto() {
        return photo;
    }

    /**
     * What kind of picture it is.
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
     * The picture in small.
     *
     * @return a copy of a JPEG
     */
    public byte[] getThumbnail() {
        return thumbnail.clone();
    }
}
