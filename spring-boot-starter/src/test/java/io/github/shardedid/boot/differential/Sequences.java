package io.github.shardedid.boot.differential;

import jakarta.persistence.LockModeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random sequences of steps, mostly about one shard, so that not all of them are refused. */
final class Sequences {
    private static final List<LockModeType> LOCKS = List.of(
            LockModeType.PESSIMISTIC_WRITE,
            LockModeType.PESSIMISTIC_READ,
            LockModeType.OPTIMISTIC,
            LockModeType.OPTIMISTIC_FORCE_INCREMENT,
            LockModeType.PESSIMISTIC_FORCE_INCREMENT);
    private static final int BEYOND = 6;

    /** Marks of preset ids: there are none in the beginning. */
    private static final int MARK = 6 * Numbers.SHARDS;

    private final Random random;
    private final int focus;
    private final int strays;
    private int made;

    private Sequences(Random random) {
        this.random = random;
        focus = random.nextInt(Numbers.SHARDS);
        strays = random.nextInt(3) * 12;
    }

    /** The same for the same number. */
    static List<Step> of(long seed) {
        return new Sequences(new Random(seed)).steps();
    }

    private List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        int length = 4 + random.nextInt(26);
        for (int i = 0; i < length; i++) {
            steps.add(
                    switch (random.nextInt(10)) {
                        case 0, 1 -> transaction();
                        case 2, 3 -> read();
                        case 4, 5 -> write();
                        case 6, 7 -> part();
                        case 8 -> kept();
                        default -> query();
                    });
        }
        if (random.nextInt(3) == 0) {
            steps.addAll(random.nextInt(steps.size()), conflict());
        }
        if (random.nextBoolean()) {
            steps.add(0, new Tx.Begin("REQUIRED", false));
            steps.add(new Tx.End(true));
        }
        return steps;
    }

    /** Somebody reads, somebody else writes, the first one writes. */
    private List<Step> conflict() {
        int album = focus + Numbers.SHARDS * random.nextInt(2);
        return List.of(
                new Kept.Keep(album, random.nextBoolean()),
                new Kept.ChangeKept(album, text(), fresh(Kind.SHOT)),
                random.nextBoolean() ? new Writes.Change(Kind.ALBUM, album, text()) : part(),
                new Kept.MergeKept(album, random.nextBoolean()));
    }

    private Step transaction() {
        return switch (random.nextInt(16)) {
            case 0, 1, 2 -> new Tx.Begin("REQUIRED", random.nextInt(4) == 0);
            case 3 -> new Tx.Begin("REQUIRES_NEW", random.nextInt(4) == 0);
            case 4, 5, 6 -> new Tx.End(random.nextInt(4) > 0);
            case 7 -> random.nextInt(3) == 0 ? new Tx.RollbackOnly() : new Tx.End(true);
            case 8, 9 -> new Tx.Flush();
            case 10 -> new Tx.Clear();
            case 11 -> new Tx.FlushAtCommit(random.nextBoolean());
            case 12, 13 -> new Tx.Savepoint();
            case 14 -> new Tx.BackToSavepoint();
            default -> detach(kind());
        };
    }

    private Step detach(Kind kind) {
        return new Tx.Detach(kind, row(kind));
    }

    private Step read() {
        Kind kind = kind();
        return switch (random.nextInt(10)) {
            case 0 -> new Reads.Find(kind, maybeUnknown(kind));
            case 1 -> new Reads.FindById(kind, maybeUnknown(kind));
            case 2 -> new Reads.ExistsById(kind, maybeUnknown(kind));
            case 3 -> new Reads.References(kind, rows(kind, true));
            case 4 -> new Reads.FindAllById(kind, rows(kind, true));
            case 5 -> new Reads.FindMultiple(kind, rows(kind, true));
            case 6 -> new Reads.Refresh(kind, row(kind));
            case 7 -> new Reads.Lock(kind, row(kind), one(LOCKS));
            case 8 -> new Reads.Contents(rows(Kind.ALBUM, true));
            default -> new Reads.Owners(rows(Kind.SHOT, true));
        };
    }

    private Step write() {
        Kind kind = kind();
        return switch (random.nextInt(13)) {
            case 0, 1, 2, 3 -> new Writes.Save(kind, fresh(kind), parent(kind), text(), random.nextBoolean());
            case 4, 5 -> new Writes.Change(kind, row(kind), text());
            case 6 -> new Writes.ChangeAll(kind, rows(kind, false), text());
            case 7 -> new Writes.Remove(kind, row(kind));
            case 8 -> new Writes.DeleteById(kind, maybeUnknown(kind));
            case 9 -> new Writes.DeleteAllById(kind, rows(kind, true), random.nextBoolean());
            case 10 -> new Keys.Rekey(row(Kind.MARK), albumAnywhere());
            case 11 -> new Keys.MergeRekeyed(row(Kind.MARK), albumAnywhere(), text(), random.nextBoolean());
            default -> new Writes.SaveAll(rows(Kind.MEMBER, true), text());
        };
    }

    private Step part() {
        int album = row(Kind.ALBUM);
        return switch (random.nextInt(8)) {
            case 0, 1 -> new Parts.AddShot(album, fresh(Kind.SHOT), text());
            case 2 -> new Parts.DropShot(album, random.nextInt(3));
            case 3 -> new Parts.Tag(album, random.nextBoolean(), "tag " + random.nextInt(5));
            case 4 -> new Parts.Rotate(album, 1 + random.nextInt(2), random.nextBoolean());
            case 5 -> new Parts.Replace(album, List.of("a", "b", "line " + random.nextInt(20)));
            case 6 -> new Parts.Fan(album, row(Kind.MEMBER), random.nextBoolean());
            default -> {
                boolean shot = random.nextBoolean();
                yield new Parts.Adopt(shot, row(shot ? Kind.SHOT : Kind.ALBUM), row(shot ? Kind.ALBUM : Kind.MEMBER));
            }
        };
    }

    private Step kept() {
        int album = focus + Numbers.SHARDS * random.nextInt(2);
        return switch (random.nextInt(5)) {
            case 0, 1 -> new Kept.Keep(album, random.nextInt(3) > 0);
            case 2 -> new Kept.ChangeKept(album, text(), fresh(Kind.SHOT));
            default -> new Kept.MergeKept(album, random.nextBoolean());
        };
    }

    private Step query() {
        Ask.OfOwner one = one(List.of(Ask.OfOwner.values()));
        Ask.OfAll all = one(List.of(Ask.OfAll.values()));
        return switch (random.nextInt(8)) {
            case 0, 1, 2 -> new Ask.One(one, maybeUnknown(Kind.MEMBER), random.nextInt(24));
            case 3, 4, 5 -> new Ask.All(all, random.nextInt(4), 1 + random.nextInt(9));
            case 6 -> new Ask.Retitle(maybeUnknown(Kind.MEMBER), text());
            default -> new Ask.DeleteShots(row(Kind.ALBUM), random.nextInt(4));
        };
    }

    private Kind kind() {
        return random.nextInt(10) == 0 ? Kind.MARK : one(List.of(Kind.MEMBER, Kind.ALBUM, Kind.SHOT));
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private String text() {
        return random.nextInt(4) == 0 ? "shot " + random.nextInt(4) : "text " + random.nextInt(100);
    }

    /** A row that probably is there, and in the shard that this sequence is about. */
    private int row(Kind kind) {
        if (kind == Kind.MARK && random.nextInt(3) > 0) {
            return focus + MARK;
        } else if (kind == Kind.MARK || random.nextInt(15) == 0) {
            return generated();
        }
        int count = (kind == Kind.MEMBER ? 12 : kind == Kind.ALBUM ? 18 : 36) + BEYOND;
        return random.nextInt(100) < strays
                ? random.nextInt(count)
                : focus + Numbers.SHARDS * random.nextInt(count / Numbers.SHARDS);
    }

    private int albumAnywhere() {
        return random.nextInt(4) == 0 ? random.nextInt(3 * Numbers.SHARDS) : row(Kind.ALBUM);
    }

    private int maybeUnknown(Kind kind) {
        return random.nextInt(25) == 0 ? -1 - random.nextInt(2) : row(kind);
    }

    /** Different ones in any order. */
    private List<Integer> rows(Kind kind, boolean several) {
        List<Integer> rows = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            int row = several && random.nextBoolean() ? random.nextInt(24) : row(kind);
            if (!rows.contains(row)) {
                rows.add(row);
            }
        }
        return rows;
    }

    /** Of a new row: a preset one that is free, rarely one that is taken, or one whose id is made. */
    private int fresh(Kind kind) {
        int first = kind == Kind.MEMBER ? 12 : kind == Kind.ALBUM ? 18 : 36;
        if (kind == Kind.MARK && random.nextBoolean()) {
            return focus + MARK;
        }
        return kind == Kind.MARK || random.nextBoolean()
                ? Numbers.GENERATED + focus + Numbers.SHARDS * made++
                : focus + (random.nextInt(6) == 0 ? Numbers.SHARDS * random.nextInt(2) : first);
    }

    /** Of a row that an earlier step may have made. */
    private int generated() {
        return Numbers.GENERATED + focus + Numbers.SHARDS * random.nextInt(made + 1);
    }

    private int parent(Kind kind) {
        return row(kind == Kind.ALBUM ? Kind.MEMBER : Kind.ALBUM);
    }
}
