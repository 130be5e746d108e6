package io.github.shardedid.attack;

import java.util.List;

/** The name of a {@link Journal}'s file. */
record JournalName(int writer, Maker maker, Place place) {
    private static final String SUFFIX = "ids";

    static boolean matches(String name) {
        return name.endsWith("." + SUFFIX);
    }

    static JournalName parse(String name) {
        List<String> parts = List.of(name.split("\\.", -1));
        return new JournalName(
                Integer.parseInt(parts.get(0)),
                Maker.valueOf(parts.get(1)),
                new Place(Integer.parseInt(parts.get(2)), parts.get(3)));
    }

    @Override
    public String toString() {
        return String.join(
                ".", Integer.toString(writer), maker.name(), Integer.toString(place.shard()), place.table(), SUFFIX);
    }
}
