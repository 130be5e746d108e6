package io.github.shardedid.boot.app;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import org.jspecify.annotations.Nullable;

/** Global, with an id of a sequence. */
@Entity
public class Theme {
    @Id
    @GeneratedValue
    @Nullable
    Long id;

    String title = "";

    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    Setting setting;

    protected Theme() {}

    public Theme(String title, Setting setting) {
        this.title = title;
        this.setting = setting;
    }
}
