package io.github.shardedid.boot.differential;

import jakarta.persistence.Entity;
import org.jspecify.annotations.Nullable;

/** A shot in two tables. */
@Entity
public class Clip extends Shot {
    int seconds;

    protected Clip() {}

    Clip(@Nullable Long id, int number, @Nullable Album album, String caption) {
        super(id, number, album, caption);
        seconds = caption.length();
    }

    @Override
    public void become(String value) {
        super.become(value);
        seconds++;
    }

    @Override
    public String toString() {
        return "Clip:" + seconds + super.toString();
    }
}
