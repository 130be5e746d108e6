package io.github.shardedid.boot.differential;

import java.util.List;
import org.hibernate.Hibernate;
import org.jspecify.annotations.Nullable;

/** Steps with albums that leave their transaction, are changed, and come back by a merge. */
final class Kept {
    private Kept() {}

    /** Reads an album in a transaction of its own, with all or none of its collections. */
    record Keep(int album, boolean collections) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            if (side.inside()) {
                return "inside";
            }
            return side.atomically(() -> {
                if (!(side.find(Kind.ALBUM, album) instanceof Album found)) {
                    return "no album";
                }
                if (collections) {
                    List.of(found.shots(), found.tags(), found.lines(), found.fans())
                            .forEach(Hibernate::initialize);
                }
                side.kept.put(album, found);
                return Text.of(found);
            });
        }
    }

    /** Changes it, and its collections if they were read. */
    record ChangeKept(int album, String value, int shot) implements Step {
        @Override
        public Object run(Side side) {
            Album kept = side.kept.get(album);
            if (kept == null) {
                return "none";
            }
            kept.become(value);
            if (Hibernate.isInitialized(kept.shots)) {
                if (!kept.shots.isEmpty()) {
                    kept.shots.get(0).become(value);
                }
                if (kept.shots.size() > 1) {
                    kept.shots.remove(1);
                }
                Long id = shot >= Numbers.GENERATED ? null : side.id(Kind.SHOT, shot);
                kept.shots.add(new Shot(id, shot, kept, value));
                kept.tags.add(value);
                kept.lines.add(0, value);
            }
            return Text.of(kept);
        }
    }

    record MergeKept(int album, boolean repository) implements Step {
        @Override
        public Object run(Side side) {
            Album kept = side.kept.get(album);
            if (kept == null || !side.mayMakeIds(Numbers.GENERATED)) {
                return "none";
            }
            return side.atomically(() -> {
                Album merged = repository ? side.albums.save(kept) : side.em.merge(kept);
                side.note(merged);
                return merged + Text.of(merged.shots()) + Text.of(merged.tags()) + Text.of(merged.lines());
            });
        }
    }
}
