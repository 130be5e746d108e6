package io.github.shardedid.example.id;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.Cluster;
import java.time.Instant;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/** Reads and writes ids as clients see them. Safe for use by several threads. */
@Component
public class Ids {
    /** From the epoch's 25th day on the text form has 10 or 11 characters and the decimal form 16 to 19: no confusion. */
    private static final Pattern TEXT_FORM = Pattern.compile("[A-Za-z0-9_-]{10,11}");

    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,19}");

    private final IdLayout layout;

    Ids(Cluster cluster) {
        this.layout = cluster.layout();
    }

    /**
     * Reads an id.
     *
     * @param idOrText the decimal form, or the short text form
     * @return the id; whether there is such a row is another matter
     * @throws MalformedIdException if it is neither
     */
    public long parse(String idOrText) {
        if (TEXT_FORM.matcher(idOrText).matches() || !DECIMAL.matcher(idOrText).matches()) {
            return layout.fromText(idOrText);
        }
        try {
            long id = Long.parseLong(idOrText);
            layout.shardOf(id);
            return id;
        } catch (NumberFormatException e) {
            throw new MalformedIdException(
                    idOrText + " is no id of the layout " + layout + ": ids run from 0 to " + layout.maxId() + ".");
        }
    }

    /**
     * The short text form, for links.
     *
     * @param id an id
     * @return 1 to 11 URL-safe characters
     */
    public String text(long id) {
        return layout.toText(id);
    }

    /**
     * When the row was made. There is no column for it: the id knows.
     *
     * @param id an id
     * @return the instant, to the millisecond
     */
    public Instant madeAt(long id) {
        return layout.decode(id).instant();
    }

    /**
     * Where the row lives.
     *
     * @param id an id
     * @return the logical shard
     */
    public int shardOf(long id) {
        return layout.shardOf(id);
    }
}
