package io.github.shardedid.boot.plain;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

@Entity
public class PlainUser {
    @Id
    @Nullable
    Long id;

    @Nullable
    String name;
}
