package io.github.shardedid.boot.differential;

import io.github.shardedid.routing.ShardContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps that write single rows, or several of one kind. */
final class Writes {
    private Writes() {}

    /** Saves or persists a new row, or merges it if its preset id is that of an old one. */
    record Save(Kind kind, int number, int parent, String value, boolean persist) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            if (!side.mayMakeIds(number)) {
                return "read-only";
            }
            return side.atomically(() -> {
                Row row = row(side);
                if (kind == Kind.MARK) {
                    // The column's default makes its id: the row is inserted at once, ahead of all that is pending.
                    side.em.flush();
                }
                return ShardContext.call(Math.floorMod(number, Numbers.SHARDS), () -> {
                    if (!persist) {
                        return Text.of(kept(side, side.repository(kind).save(row)));
                    }
                    side.em.persist(row);
                    return Text.of(kept(side, row));
                });
            });
        }

        private static Row kept(Side side, Row row) {
            side.note(row);
            if (row instanceof Mark) {
                side.em.flush();
            }
            return row;
        }

        private Row row(Side side) {
            if (side.inside()) {
                // An old row of this id may have been loaded in a batch, which is not the same on both sides.
                side.find(kind, number);
            }
            Long id = number >= Numbers.GENERATED ? null : side.id(kind, number);
            return switch (kind) {
                case MEMBER -> new Member(id, number, value);
                case ALBUM -> new Album(id, number, owner(side), value, parent);
                case SHOT ->
                    number % 3 == 0
                            ? new Clip(id, number, album(side), value)
                            : new Shot(id, number, album(side), value);
                case MARK -> new Mark(id, number, side.id(Kind.ALBUM, parent), value);
            };
        }

        private Member owner(Side side) {
            return side.em.getReference(Member.class, side.id(Kind.MEMBER, parent));
        }

        private Album album(Side side) {
            return side.em.getReference(Album.class, side.id(Kind.ALBUM, parent));
        }
    }

    /** Changes a managed row. */
    record Change(Kind kind, int number, String value) implements Step {
        @Override
        public Object run(Side side) {
            return side.atomically(() -> {
                Row row = side.find(kind, number);
                if (row != null) {
                    row.become(value);
                }
                return Text.of(row);
            });
        }
    }

    /** Changes several managed rows, perhaps of several shards. */
    record ChangeAll(Kind kind, List<Integer> numbers, String value) implements Step {
        @Override
        public Object run(Side side) {
            return side.atomically(() -> {
                List<Row> rows = new ArrayList<>();
                for (int number : numbers) {
                    Row row = side.find(kind, number);
                    if (row != null) {
                        row.become(value);
                        rows.add(row);
                    }
                }
                return Text.of(rows);
            });
        }
    }

    record Remove(Kind kind, int number) implements Step {
        @Override
        public Object run(Side side) {
            return side.atomically(() -> {
                Row row = side.find(kind, number);
                if (row != null) {
                    side.em.remove(row);
                }
                return Text.of(row);
            });
        }
    }

    record DeleteById(Kind kind, int number) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            side.repository(kind).deleteById(side.id(kind, number));
            return null;
        }
    }

    /** Outside a transaction in one per shard, as documented. */
    record DeleteAllById(Kind kind, List<Integer> numbers, boolean batch) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            return PerShard.of(
                    side, numbers.stream().map(number -> side.id(kind, number)).toList(), id -> id, ids -> {
                        if (batch) {
                            side.repository(kind).deleteAllByIdInBatch(ids);
                        } else {
                            side.repository(kind).deleteAllById(ids);
                        }
                        return List.of();
                    });
        }
    }

    /** Merges rows of preset ids that are new, or replaces old ones. */
    record SaveAll(List<Integer> members, String value) implements Step {
        @Override
        public Object run(Side side) {
            List<Row> rows = new ArrayList<>();
            for (int number : members) {
                Member old = side.members.findById(side.id(Kind.MEMBER, number)).orElse(null);
                if (old == null && number >= Numbers.GENERATED) {
                    continue;
                }
                Member row = new Member(side.id(Kind.MEMBER, number), number, value);
                row.version = old == null ? null : old.getVersion();
                rows.add(row);
            }
            return PerShard.of(side, rows, Row::getId, group -> side.repository(Kind.MEMBER)
                    .saveAll(group));
        }
    }
}
