package io.github.shardedid.boot.differential;

import java.util.Iterator;
import org.springframework.data.util.Streamable;

/** A wrapper of rows, as Spring Data makes them of a list. */
public record AlbumList(Streamable<Album> albums) implements Streamable<Album> {
    @Override
    public Iterator<Album> iterator() {
        return albums.iterator();
    }
}
