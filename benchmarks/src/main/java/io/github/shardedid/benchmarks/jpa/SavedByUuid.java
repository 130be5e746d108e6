package io.github.shardedid.benchmarks.jpa;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.UuidGenerator;
import org.jspecify.annotations.Nullable;

/** A photo of plain JPA whose id is a UUID of version 7, made by Hibernate. */
@Entity
@Table(name = "uuid_photo")
public class SavedByUuid {
    @Id
    @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
    @Nullable
    UUID id;

    @Column(name = "user_id")
    long userId;

    @Nullable
    String caption;

    protected SavedByUuid() {}

    SavedByUuid(long userId, String caption) {
        this.userId = userId;
        this.caption = caption;
    }
}
