package io.github.shardedid.benchmarks.jpa;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A photo of plain JPA whose id is a TSID. */
@Entity
@Table(name = "tsid_photo")
public class SavedByTsid {
    @Id
    @Tsid
    @Nullable
    Long id;

    @Column(name = "user_id")
    long userId;

    @Nullable
    String caption;

    protected SavedByTsid() {}

    SavedByTsid(long userId, String caption) {
        this.userId = userId;
        this.caption = caption;
    }
}
