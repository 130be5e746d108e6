package io.github.shardedid.benchmarks.jpa;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A photo of plain JPA whose id comes from an identity column, so Hibernate cannot send its inserts in batches. */
@Entity
@Table(name = "identity_photo")
public class SavedByIdentity {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable
    Long id;

    @Column(name = "user_id")
    long userId;

    @Nullable
    String caption;

    protected SavedByIdentity() {}

    SavedByIdentity(long userId, String caption) {
        this.userId = userId;
        this.caption = caption;
    }
}
