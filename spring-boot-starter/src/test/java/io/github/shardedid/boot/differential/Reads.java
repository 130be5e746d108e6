package io.github.shardedid.boot.differential;

import jakarta.persistence.LockModeType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;

/** Steps that find rows by their ids. */
final class Reads {
    private Reads() {}

    record Find(Kind kind, int number) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            return side.find(kind, number);
        }
    }

    record FindById(Kind kind, int number) implements Step {
        @Override
        public Object run(Side side) {
            return side.repository(kind).findById(side.id(kind, number));
        }
    }

    record ExistsById(Kind kind, int number) implements Step {
        @Override
        public Object run(Side side) {
            side.flushFor(number);
            return side.repository(kind).existsById(side.id(kind, number));
        }
    }

    /** Proxies first, then what is behind them. */
    record References(Kind kind, List<Integer> numbers) implements Step {
        @Override
        public Object run(Side side) {
            return side.reading(() -> {
                List<Row> rows = new ArrayList<>();
                numbers.forEach(number -> rows.add(side.repository(kind).getReferenceById(side.id(kind, number))));
                return Text.of(rows);
            });
        }
    }

    record FindAllById(Kind kind, List<Integer> numbers) implements Step {
        @Override
        public Object run(Side side) {
            // In no particular order, in either application.
            return side
                    .repository(kind)
                    .findAllById(numbers.stream()
                            .map(number -> side.id(kind, number))
                            .toList())
                    .stream()
                    .map(Text::of)
                    .sorted()
                    .toList();
        }
    }

    record FindMultiple(Kind kind, List<Integer> numbers) implements Step {
        @Override
        public Object run(Side side) {
            return side.reading(() -> side.em
                    .unwrap(Session.class)
                    .findMultiple(
                            kind.type,
                            numbers.stream()
                                    .map(number -> (Object) side.id(kind, number))
                                    .toList()));
        }
    }

    record Refresh(Kind kind, int number) implements Step {
        @Override
        public Object run(Side side) {
            return side.reading(() -> {
                Row row = side.find(kind, number);
                if (row != null) {
                    side.em.refresh(row);
                }
                return Text.of(row);
            });
        }
    }

    record Lock(Kind kind, int number, LockModeType mode) implements Step {
        @Override
        public Object run(Side side) {
            return side.atomically(() -> {
                Row row = side.find(kind, number);
                if (row != null) {
                    if (mode != LockModeType.OPTIMISTIC) {
                        side.written().touches(side.id(kind, number));
                    }
                    side.em.lock(row, mode);
                }
                return Text.of(row);
            });
        }
    }

    /** All collections of several albums at once: those that are loaded in batches. */
    record Contents(List<Integer> albums) implements Step {
        @Override
        public Object run(Side side) {
            return side.reading(() -> {
                List<Album> found = new ArrayList<>();
                for (int number : albums) {
                    if (side.find(Kind.ALBUM, number) instanceof Album album) {
                        found.add(album);
                    }
                }
                return found.stream()
                        .map(album -> album
                                + Text.of(album.shots())
                                + Text.of(album.tags())
                                + Text.of(album.lines())
                                + Text.of(album.fans()))
                        .toList();
            });
        }
    }

    /** From shots over albums to owners and back to all that these have. */
    record Owners(List<Integer> shots) implements Step {
        @Override
        public Object run(Side side) {
            return side.reading(() -> {
                List<Shot> found = new ArrayList<>();
                for (int number : shots) {
                    if (side.find(Kind.SHOT, number) instanceof Shot shot) {
                        found.add(shot);
                    }
                }
                return found.stream().map(Owners::path).toList();
            });
        }

        private static String path(Shot shot) {
            Album album = shot.album();
            Member owner = album == null ? null : album.owner();
            Collection<Album> albums = owner == null ? List.of() : owner.albums();
            return shot + " < " + Text.of(album) + " < " + Text.of(owner) + " > "
                    + albums.stream().map(Text::of).sorted().toList();
        }
    }
}
