package io.github.shardedid.benchmarks.startedplainly;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** The application's only entity. */
@Entity
@Table(name = "photo")
class PlainPhoto {
    @Id
    @GeneratedValue(generator = "photos")
    @SequenceGenerator(name = "photos", sequenceName = "photo_id_seq", allocationSize = 50)
    @Nullable
    Long id;

    @Column(name = "user_id")
    long userId;

    @Nullable
    String caption;
}
