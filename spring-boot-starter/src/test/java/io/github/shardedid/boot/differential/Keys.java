package io.github.shardedid.boot.differential;

import org.jspecify.annotations.Nullable;

/** Steps that change the shard key of a mark, which is the plain id of an album: to one of its shard, or of another one. */
final class Keys {
    private Keys() {}

    /** Of a managed one. */
    record Rekey(int mark, int album) implements Step {
        @Override
        public Object run(Side side) {
            return side.atomically(() -> {
                if (side.find(Kind.MARK, mark) instanceof Mark found) {
                    found.albumId = side.id(Kind.ALBUM, album);
                    return Text.of(found);
                }
                return "no mark";
            });
        }
    }

    /** Of a detached one, or of one that is new and has a preset id. */
    record MergeRekeyed(int mark, int album, String words, boolean repository) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            return side.atomically(() -> {
                if (side.find(Kind.MARK, mark) == null && mark >= Numbers.GENERATED) {
                    return "no mark";
                }
                Mark detached = new Mark(side.id(Kind.MARK, mark), mark, side.id(Kind.ALBUM, album), words);
                return Text.of(repository ? side.marks.save(detached) : side.em.merge(detached));
            });
        }
    }
}
