package io.github.shardedid.attack;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.ShardSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.jspecify.annotations.Nullable;

/** What an application does, on one thread. It notes what it was told is written, and what it does not find again. */
final class LoadSession {
    private static final int HOLDERS = 24;
    private static final int CALLS = 20;
    private static final int BATCH = 15;

    private final SessionFactory sessions;
    private final Deeds deeds;
    private final List<Known> known = new ArrayList<>();
    private final Map<Long, Long> bookings = new HashMap<>();
    private @Nullable Known used;

    /** What a holder must look like. */
    private static final class Known {
        final long id;
        final int shard;
        int version;
        int bookings;

        Known(long id, int version) {
            this.id = id;
            this.shard = IdLayout.DEFAULT.shardOf(id);
            this.version = version;
        }
    }

    /** What was read is not what was written. */
    private static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1;

        Wrong(String what) {
            super(what);
        }
    }

    LoadSession(SessionFactory sessions, Deeds deeds) {
        this.sessions = sessions;
        this.deeds = deeds;
    }

    void steps(Random random) {
        for (int i = 0; i < CALLS; i++) {
            try {
                step(random);
            } catch (Wrong e) {
                deeds.wrong(e.getMessage());
            } catch (RuntimeException e) {
                deeds.failed(causes(e));
                // What became of its last change is not known.
                known.remove(used);
            }
        }
    }

    private static String causes(Throwable failure) {
        StringBuilder causes = new StringBuilder();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            causes.append(cause)
                    .append(" at ")
                    .append(List.of(cause.getStackTrace()).stream().limit(1).toList());
        }
        return causes.toString();
    }

    private void step(Random random) {
        if (known.size() < HOLDERS) {
            newHolder(known.size() % LoadOptions.SHARDS);
            return;
        }
        Known one = known.get(random.nextInt(known.size()));
        used = one;
        switch (random.nextInt(9)) {
            case 0 -> book(one, 1 + random.nextInt(BATCH));
            case 1 -> receive(one, 1 + random.nextInt(3));
            case 2 -> newHolder(random.nextInt(LoadOptions.SHARDS));
            case 3, 4 -> change(one, one);
            case 5 -> change(one, known.get(random.nextInt(known.size())));
            case 6 -> read(one);
            case 7 -> readBooking(random);
            default -> everywhere();
        }
    }

    private void newHolder(int shard) {
        long start = System.nanoTime();
        long token = deeds.token();
        deeds.tries("holder", List.of(token));
        Holder holder = ShardContext.call(
                shard,
                () -> sessions.fromTransaction(session -> {
                    Holder made = new Holder(token);
                    session.persist(made);
                    return made;
                }));
        deeds.took(true, shard, start);
        long id = Objects.requireNonNull(holder.id);
        deeds.wrote("holder", token, id);
        deeds.wroteVersion(id, holder.version);
        if (known.size() < HOLDERS) {
            known.add(new Known(id, holder.version));
        }
    }

    private void book(Known one, int rows) {
        long start = System.nanoTime();
        List<Long> tokens = tokens(rows);
        deeds.tries("booking", tokens);
        List<Booking> made = sessions.fromTransaction(session -> {
            Holder holder = session.getReference(Holder.class, one.id);
            List<Booking> all =
                    tokens.stream().map(token -> new Booking(holder, token)).toList();
            all.forEach(session::persist);
            return all;
        });
        deeds.took(true, one.shard, start);
        made.forEach(booking -> {
            long id = Objects.requireNonNull(booking.id);
            deeds.wrote("booking", booking.token, id);
            bookings.put(id, booking.token);
        });
        one.bookings += rows;
    }

    private void receive(Known one, int rows) {
        long start = System.nanoTime();
        List<Long> tokens = tokens(rows);
        deeds.tries("receipt", tokens);
        List<Receipt> made = sessions.fromTransaction(session -> {
            Holder holder = session.getReference(Holder.class, one.id);
            List<Receipt> all =
                    tokens.stream().map(token -> new Receipt(holder, token)).toList();
            all.forEach(session::persist);
            return all;
        });
        deeds.took(true, one.shard, start);
        made.forEach(receipt -> deeds.wrote("receipt", receipt.token, Objects.requireNonNull(receipt.id)));
    }

    /** Reads two, perhaps of two shards, and changes the first. */
    private void change(Known one, Known other) {
        long start = System.nanoTime();
        deeds.triesVersion(one.id, one.version + 1);
        sessions.inTransaction(session -> {
            check(session, other);
            check(session, one).changes++;
        });
        one.version++;
        deeds.took(true, one.shard, start);
        deeds.wroteVersion(one.id, one.version);
    }

    private Holder check(Session session, Known one) {
        Holder found = session.find(Holder.class, one.id);
        if (found == null || found.version != one.version || found.changes != one.version) {
            String what =
                    found == null ? "is not there" : "has version " + found.version + ", changes " + found.changes;
            throw new Wrong("Holder " + one.id + " " + what + ", not " + one.version);
        }
        return found;
    }

    private void read(Known one) {
        long start = System.nanoTime();
        int size = sessions.fromTransaction(session -> {
            Holder holder = check(session, one);
            Hibernate.initialize(holder.bookings);
            return holder.bookings.size();
        });
        deeds.took(false, one.shard, start);
        if (size != one.bookings) {
            throw new Wrong("Holder " + one.id + " has " + size + " bookings, not " + one.bookings);
        }
    }

    private void readBooking(Random random) {
        if (bookings.isEmpty()) {
            return;
        }
        long id = bookings.keySet().stream()
                .skip(random.nextInt(bookings.size()))
                .findFirst()
                .orElseThrow();
        long start = System.nanoTime();
        boolean right = sessions.fromTransaction(session -> {
            Booking found = session.find(Booking.class, id);
            return found != null
                    && found.token == bookings.getOrDefault(id, 0L)
                    && found.holder != null
                    && found.holder.changes() >= 0;
        });
        deeds.took(false, IdLayout.DEFAULT.shardOf(id), start);
        if (!right) {
            throw new Wrong("Booking " + id + " is not as it was written");
        }
    }

    /** The newest holders of all shards, and those before them. */
    private void everywhere() {
        long start = System.nanoTime();
        List<Long> ids = newest(Long.MAX_VALUE);
        List<Long> older = newest(ids.get(ids.size() - 1));
        deeds.took(false, LoadOptions.SHARDS, start);
        List<Long> all = LongStream.concat(
                        ids.stream().mapToLong(Long::longValue), older.stream().mapToLong(Long::longValue))
                .boxed()
                .toList();
        List<Long> sorted = all.stream()
                .distinct()
                .sorted(java.util.Comparator.reverseOrder())
                .toList();
        if (!all.equals(sorted) || ids.size() < BATCH) {
            throw new Wrong("Not the newest holders in their order: " + all);
        }
    }

    private List<Long> newest(long before) {
        return ShardContext.call(
                ShardSet.all(),
                () -> sessions.fromTransaction(session -> session.createSelectionQuery(
                                "select h.id from Holder h where h.id < :before order by h.id desc", Long.class)
                        .setParameter("before", before)
                        .setMaxResults(BATCH)
                        .list()));
    }

    private List<Long> tokens(int count) {
        return LongStream.range(0, count).map(i -> deeds.token()).boxed().toList();
    }
}
