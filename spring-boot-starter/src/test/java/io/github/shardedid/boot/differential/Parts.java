package io.github.shardedid.boot.differential;

import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** Steps that change the collections of an album. */
final class Parts {
    private Parts() {}

    static Object ofAlbum(Side side, int number, Function<Album, Object> work) {
        return side.atomically(() -> {
            if (side.find(Kind.ALBUM, number) instanceof Album album) {
                return Text.of(work.apply(album)) + album;
            }
            return "no album";
        });
    }

    /** A new shot that is saved with its album. */
    record AddShot(int album, int number, String caption) implements Step {
        @Override
        public Object run(Side side) {
            if (side.inside()) {
                // An old row of this id may have been loaded in a batch, which is not the same on both sides.
                side.find(Kind.SHOT, number);
            }
            Long id = number >= Numbers.GENERATED ? null : side.id(Kind.SHOT, number);
            if (!side.mayMakeIds(number)) {
                return "read-only";
            }
            return ofAlbum(side, album, owner -> owner.shots().add(side.fresh(new Shot(id, number, owner, caption))));
        }
    }

    /** Orphans one of its shots. */
    record DropShot(int album, int index) implements Step {
        @Override
        public Object run(Side side) {
            return ofAlbum(
                    side,
                    album,
                    owner -> owner.shots().isEmpty()
                            ? "none"
                            : owner.shots().remove(index % owner.shots().size()));
        }
    }

    record Tag(int album, boolean add, String tag) implements Step {
        @Override
        public Object run(Side side) {
            return ofAlbum(
                    side,
                    album,
                    owner -> add ? owner.tags().add(tag) : owner.tags().remove(tag));
        }
    }

    /** Puts the first line at the end and adds one, or takes one away. */
    record Rotate(int album, int by, boolean add) implements Step {
        @Override
        public Object run(Side side) {
            return ofAlbum(side, album, owner -> {
                Collections.rotate(owner.lines(), by);
                if (add) {
                    owner.lines().add(0, "line " + owner.lines().size());
                } else if (!owner.lines().isEmpty()) {
                    owner.lines().remove(0);
                }
                return List.copyOf(owner.lines());
            });
        }
    }

    /** Replaces a collection by another one. */
    record Replace(int album, List<String> lines) implements Step {
        @Override
        public Object run(Side side) {
            return ofAlbum(side, album, owner -> {
                owner.lines = new java.util.ArrayList<>(lines);
                owner.tags = new java.util.HashSet<>(lines);
                return lines;
            });
        }
    }

    record Fan(int album, int member, boolean add) implements Step {
        @Override
        public Object run(Side side) {
            return ofAlbum(side, album, owner -> {
                if (!(side.find(Kind.MEMBER, member) instanceof Member fan)) {
                    return "no member";
                }
                return add ? owner.fans().add(fan) : owner.fans().remove(fan);
            });
        }
    }

    /** Gives the album, or a shot, to another one. */
    record Adopt(boolean shot, int child, int parent) implements Step {
        @Override
        public Object run(Side side) {
            return side.atomically(() -> {
                Row row = side.find(shot ? Kind.SHOT : Kind.ALBUM, child);
                Row to = side.find(shot ? Kind.ALBUM : Kind.MEMBER, parent);
                if (row instanceof Shot moved && to instanceof Album album) {
                    moved.album = album;
                } else if (row instanceof Album moved && to instanceof Member member) {
                    moved.owner = member;
                }
                return Text.of(row);
            });
        }
    }
}
