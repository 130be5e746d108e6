package io.github.shardedid.hibernate.internal.unique;

import io.github.shardedid.hibernate.DuplicateValueException;
import io.github.shardedid.hibernate.internal.unique.ClaimStates.State;
import io.github.shardedid.hibernate.internal.unique.ClaimTable.StoredClaim;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.topology.Cluster;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.hibernate.HibernateException;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/**
 * Compares the rows of all shards with their claims, and claims the values of rows that have none. For one thread; several processes
 * may do so at the same time, beside those that write rows, and while shards move.
 *
 * <ol>
 *   <li>The rows of a shard are read in the order of their ids, in batches. The claims of a batch are read from the shards that have them. A row
 *       that its claim names, as its row or as a prior one, needs nothing: nobody else can take its value.
 *   <li>The others claim their values in a transaction, as a writer would ({@link Claims}): the committed row of another claim decides. If that
 *       has the value, and the row still has it too, they are duplicates.
 *   <li>The id of the last row of a batch is stored beside the claims of its shard, for the next build that goes on. It is not stored past a
 *       duplicate, so that the next one looks at that again.
 *   <li>If all shards were gone through without a duplicate, the key is ready. Each row that was written meanwhile has claimed its value
 *       by itself.
 * </ol>
 *
 * <p>A claim is an orphan if its transaction has ended, and then neither its row nor a prior one has the value. It harms nobody. It is removed only
 * as it was judged: whoever takes it over, or renews it, changes the transaction in it.
 */
public final class ClaimInspection {
    /** Rows or claims of a batch: few enough for a short transaction, and enough for several claims in each shard. */
    private static final int BATCH = 2_000;

    /** A move, or a transaction that takes its time, may refuse a batch. */
    private static final int ATTEMPTS = 5;

    /** Before the ids of all rows. */
    private static final long BEGIN = Long.MIN_VALUE;

    /** As many are described. */
    private static final int DESCRIBED = 1_000;

    private static final String POSITION =
            "SELECT id FROM " + ClaimTable.TABLE + " WHERE attribute = '#position' AND value = ? AND transaction = ?";
    private static final String ADVANCE = "INSERT INTO " + ClaimTable.TABLE
            + " AS c (attribute, value, id, transaction, database, generation) VALUES ('#position', ?, ?, ?, '', 0)"
            + " ON CONFLICT (attribute, value) DO UPDATE SET id = excluded.id, transaction = excluded.transaction"
            + " WHERE c.transaction <> excluded.transaction OR c.id < excluded.id RETURNING true";
    private static final String UNCLAIMED =
            "SELECT w.value, w.id FROM unnest(cast(? AS text[]), cast(? AS bigint[])) AS w (value, id) WHERE NOT EXISTS (SELECT FROM "
                    + ClaimTable.TABLE
                    + " AS c WHERE c.attribute = ? AND c.value = w.value AND w.id = ANY (c.id || c.prior))";
    private static final String OF_KEY =
            "SELECT attribute, value, id, prior::text, ARRAY[transaction, database, generation::text] FROM "
                    + ClaimTable.TABLE + " WHERE attribute = ? AND value ";
    private static final String REMOVE = "DELETE FROM " + ClaimTable.TABLE
            + " WHERE attribute = ? AND value = ? AND id = ? AND prior = cast(? AS bigint[])"
            + " AND ARRAY[transaction, database, generation::text] = cast(? AS text[]) RETURNING true";

    private final RoutingDataSource source;
    private final UniqueKeys keys;
    private final Cluster cluster;
    private final SessionFactoryImplementor factory;
    private final Consumer<String> progress;
    private final List<String> problems = new ArrayList<>();
    private long found;

    /** Reads or writes a batch. */
    @FunctionalInterface
    private interface Work<T> {
        T run() throws SQLException;
    }

    public ClaimInspection(
            RoutingDataSource source, UniqueKeys keys, SessionFactoryImplementor factory, Consumer<String> progress) {
        this.source = source;
        this.keys = keys;
        this.cluster = source.cluster();
        this.factory = factory;
        this.progress = progress;
    }

    /** Claims the values of all rows, and returns the duplicates. Without one, the keys are ready. */
    public List<String> build() {
        for (UniqueKey key : keys.all(factory)) {
            ClaimStates states = keys.states();
            State state = attempt(states::read).get(key.name());
            if (state == null) {
                add("The claims of " + key
                        + " are not being built: another application has begun to write without them.");
                continue;
            }
            long before = found;
            for (int shard = 0; shard < cluster.shardCount(); shard++) {
                new Shard(key, shard).build(state);
            }
            boolean done = found == before && (state.ready() || attempt(() -> states.finish(key, state)));
            progress.accept(
                    key + (done ? ": all rows have claimed their values" : ": not all rows have claimed their values"));
        }
        keys.refresh();
        return described();
    }

    /**
     * Returns rows without a claim, and rows with one value.
     *
     * @param removes whether orphans are removed
     */
    public List<String> check(boolean removes) {
        for (UniqueKey key : keys.all(factory)) {
            Map<String, Long> unclaimed = new HashMap<>();
            long orphans = 0;
            for (int shard = 0; shard < cluster.shardCount(); shard++) {
                Shard at = new Shard(key, shard);
                at.check(unclaimed);
                orphans += at.orphans(removes);
            }
            progress.accept(key + ": " + unclaimed.size() + " values without a claim, " + orphans
                    + " claims without a row" + (removes ? ", which were removed" : ""));
        }
        return described();
    }

    /**
     * Removes the claims of rows that were deleted without Hibernate. One whose transaction is in progress stays, as an orphan.
     *
     * @return how many are left
     */
    long release(UniqueKey key, List<Claim> deleted) {
        long left = 0;
        for (Map.Entry<Integer, List<Claim>> each :
                Claim.byShard(deleted, cluster.keyShards()).entrySet()) {
            left += new Shard(key, each.getKey()).release(each.getValue());
        }
        return left;
    }

    private void add(String problem) {
        if (found++ < DESCRIBED) {
            problems.add(problem);
        }
    }

    private List<String> described() {
        if (found > DESCRIBED) {
            problems.add("and " + (found - DESCRIBED) + " more");
        }
        return List.copyOf(problems);
    }

    private <T> T attempt(Work<T> work) {
        for (int i = 1; ; i++) {
            try {
                return work.run();
            } catch (SQLException | HibernateException e) {
                if (i < ATTEMPTS) {
                    continue;
                }
                throw e instanceof SQLException failure
                        ? factory.getJdbcServices()
                                .getSqlExceptionHelper()
                                .convert(
                                        failure,
                                        "Claims could not be compared with their rows. Run the command again, which goes on")
                        : (HibernateException) e;
            }
        }
    }

    private ClaimTable table(int shard) {
        return new ClaimTable(source, shard, null, 0);
    }

    private String inShard(long id) {
        return id + " (shard " + cluster.shardOf(id) + ")";
    }

    /** The rows of one shard, and the claims in it, which are mostly of other rows. */
    private final class Shard {
        private final UniqueKey key;
        private final int shard;

        Shard(UniqueKey key, int shard) {
            this.key = key;
            this.shard = shard;
        }

        void build(State state) {
            long before = found;
            long rows = 0;
            long claimed = 0;
            long position = state.ready()
                    ? BEGIN
                    : attempt(() -> table(shard).list(POSITION, row -> row.getLong(1), key.name(), state.build()))
                            .stream()
                            .findFirst()
                            .orElse(BEGIN);
            for (List<Claim> batch = after(position); !batch.isEmpty(); batch = after(last(batch))) {
                List<Claim> rest = unclaimed(batch);
                rows += batch.size();
                claimed += rest.size();
                if (!rest.isEmpty()) {
                    attempt(() -> claim(rest)).forEach(ClaimInspection.this::add);
                }
                long done = last(batch);
                if (found == before && !state.ready()) {
                    attempt(() -> table(shard).is(ADVANCE, key.name(), done, state.build()));
                }
            }
            progress.accept(key + ": shard " + shard + " of " + cluster.shardCount() + ", " + rows + " rows, " + claimed
                    + " of them without a claim, " + (found - before) + " duplicates");
        }

        void check(Map<String, Long> unclaimed) {
            for (List<Claim> batch = after(BEGIN); !batch.isEmpty(); batch = after(last(batch))) {
                for (Claim row : unclaimed(batch)) {
                    attempt(() -> problem(row, unclaimed)).ifPresent(ClaimInspection.this::add);
                }
            }
        }

        /** Looks again, since the row may have been changed after it was read. */
        private Optional<String> problem(Claim row, Map<String, Long> unclaimed) throws SQLException {
            if (!hasRow(row.id(), row.text())) {
                return Optional.empty();
            }
            List<Long> owners = table(shardOf(row.text())).owners(key, row.text());
            if (owners.contains(row.id())) {
                return Optional.empty();
            }
            Long other = unclaimed.putIfAbsent(row.text(), row.id());
            other = Objects.equals(other, row.id()) ? null : other; // noted by an attempt that failed
            for (Long owner : owners) {
                other = hasRow(owner, row.text()) ? owner : other;
            }
            return Optional.of(
                    other == null
                            ? "Row " + inShard(row.id()) + " has no claim of its value of " + key
                            : duplicates(row.id(), other));
        }

        private String duplicates(long row, long other) {
            return "Rows " + inShard(row) + " and " + inShard(other) + " have one value of " + key;
        }

        private long last(List<Claim> batch) {
            return batch.get(batch.size() - 1).id();
        }

        private List<Claim> after(long id) {
            return attempt(() -> table(shard).list(key.rowsQuery("> ?") + " limit " + BATCH, key::stored, id));
        }

        /** Returns the rows of a batch that their claims do not name. */
        private List<Claim> unclaimed(List<Claim> batch) {
            List<Claim> rest = new ArrayList<>();
            Claim.byShard(batch, cluster.keyShards())
                    .forEach((at, rows) -> rest.addAll(attempt(() -> table(at)
                            .list(
                                    UNCLAIMED,
                                    row -> new Claim(key, row.getString(1), row.getLong(2)),
                                    ClaimTable.array(rows, Claim::text),
                                    ClaimTable.array(rows, row -> Long.toString(row.id())),
                                    key.name()))));
            return rest;
        }

        /** Claims the values of rows, of all at once or, if one is a duplicate, of each by itself. */
        private List<String> claim(List<Claim> wanted) {
            List<String> duplicates = new ArrayList<>();
            try (var scope = RoutedScope.open(shard);
                    StatelessSession session = factory.openStatelessSession()) {
                session.beginTransaction();
                Claims claims = new Claims(source, (SharedSessionContractImplementor) session);
                try {
                    claims.take(shard, wanted);
                } catch (DuplicateValueException one) {
                    for (Claim claim : wanted) {
                        claimAlone(claims, claim, duplicates);
                    }
                }
                session.getTransaction().commit();
            }
            return duplicates;
        }

        private void claimAlone(Claims claims, Claim claim, List<String> duplicates) {
            try {
                claims.take(shard, List.of(claim));
            } catch (DuplicateValueException e) {
                // Unless the row has been changed since it was read, and the other one has taken its value.
                if (attempt(() -> hasRow(claim.id(), claim.text()))) {
                    duplicates.add(duplicates(claim.id(), Objects.requireNonNull(e.owner())));
                }
            }
        }

        private boolean hasRow(long id, String text) throws SQLException {
            return table(cluster.shardOf(id)).hasRow(key, text, id);
        }

        private int shardOf(String text) {
            return UniqueKey.shardOf(text, cluster.keyShards());
        }

        /** Returns the number of claims in this shard that name no row with the value. */
        long orphans(boolean removes) {
            long orphans = 0;
            String from = "";
            while (true) {
                String least = from;
                List<StoredClaim> batch = attempt(() -> claims(">= ? ORDER BY value LIMIT " + BATCH, least));
                orphans += withoutRow(batch).stream()
                        .filter(claim -> attempt(() -> isOrphan(claim) && (!removes || remove(claim))))
                        .count();
                if (batch.size() < BATCH) {
                    return orphans;
                }
                from = batch.get(batch.size() - 1).text() + '\u0001'; // the next possible text in the order of bytes
            }
        }

        long release(List<Claim> deleted) {
            String texts = ClaimTable.array(deleted, Claim::text);
            List<StoredClaim> stored = attempt(() -> claims("= ANY (cast(? AS text[]))", texts));
            Set<Long> ids = deleted.stream().map(Claim::id).collect(Collectors.toSet());
            return stored.stream()
                    .filter(claim -> ids.contains(claim.id()))
                    .filter(claim -> !attempt(() -> isOrphan(claim) && remove(claim)))
                    .count();
        }

        private List<StoredClaim> claims(String condition, String values) throws SQLException {
            return table(shard).list(OF_KEY + condition, StoredClaim::of, key.name(), values);
        }

        /** Returns the claims for which no row with the value is found now; most claims have one, so that they need no query each. */
        private List<StoredClaim> withoutRow(List<StoredClaim> claims) {
            Map<Integer, List<Long>> ids = claims.stream()
                    .flatMap(StoredClaim::rows)
                    .distinct()
                    .collect(Collectors.groupingBy(cluster::shardOf));
            String query = key.rowsQuery("= any (cast(? as bigint[]))");
            Set<Claim> rows = new HashSet<>();
            ids.forEach((at, of) -> rows.addAll(
                    attempt(() -> table(at).list(query, key::stored, ClaimTable.array(of, String::valueOf)))));
            return claims.stream()
                    .filter(claim -> claim.rows().noneMatch(id -> rows.contains(new Claim(key, claim.text(), id))))
                    .toList();
        }

        /** The transaction first: a row that is looked for before its transaction has ended may appear. */
        private boolean isOrphan(StoredClaim claim) throws SQLException {
            if (!table(cluster.shardOf(claim.id())).hasEnded(claim.by())) {
                return false;
            }
            for (Long id : claim.rows().toList()) {
                if (hasRow(id, claim.text())) {
                    return false;
                }
            }
            return true;
        }

        private boolean remove(StoredClaim claim) throws SQLException {
            return table(shard)
                    .is(
                            REMOVE,
                            claim.key(),
                            claim.text(),
                            claim.id(),
                            ClaimTable.array(claim.prior(), String::valueOf),
                            claim.by().asArray());
        }
    }
}
