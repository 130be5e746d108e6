package io.github.shardedid.benchmarks.jpa;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A photo of plain JPA: its ids come from a pooled sequence, fifty at a time. */
@Entity
@Table(name = "photo")
public class SavedPlainly {
    @Id
    @GeneratedValue(generator = "photos")
    @SequenceGenerator(name = "photos", sequenceName = "photo_id_seq", allocationSize = 50)
    @Nullable
    Long id;

    @Column(name = "user_id")
    long userId;

    @Nullable
    String caption;

    protected SavedPlainly() {}

    /** A new one. */
    public SavedPlainly(long userId, String caption) {
        this.userId = userId;
        this.caption = caption;
    }
}
