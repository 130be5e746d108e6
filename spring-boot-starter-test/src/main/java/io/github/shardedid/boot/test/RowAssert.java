package io.github.shardedid.boot.test;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/** Assertions on the location of the row of an entity. Each assertion searches for the row again. */
public final class RowAssert extends AbstractAssert<RowAssert, RowInCluster> {
    RowAssert(RowInCluster row) {
        super(row, RowAssert.class);
    }

    /**
     * Verifies that the row is in the schema of the shard in its id, on the database that owns the shard.
     *
     * @return this
     */
    public RowAssert isStoredInTheShardItsIdNames() {
        IdInCluster id = actual.id();
        return isStored(
                location -> location.shard().equals(OptionalInt.of(id.shard()))
                        && location.database().equals(id.database()),
                "where its id names it");
    }

    /**
     * Verifies that the row is in the schema of the given shard.
     *
     * @param shard the logical shard
     * @return this
     */
    public RowAssert isStoredInShard(int shard) {
        return isStored(location -> location.shard().equals(OptionalInt.of(shard)), "in shard " + shard);
    }

    /**
     * Verifies that the row, of a sharded or global entity, is on the given database.
     *
     * @param database {@code pg1} and the like
     * @return this
     */
    public RowAssert isOnDatabase(String database) {
        return isStored(location -> location.database().equals(database), "on database " + database);
    }

    /**
     * Verifies that the row is in the shard of another id.
     *
     * @param idOrEntity a number, or a sharded entity that has an id
     * @return this
     */
    public RowAssert isInTheSameShardAs(Object idOrEntity) {
        IdInCluster other = actual.id().other(idOrEntity);
        return isStored(
                location -> location.shard().equals(OptionalInt.of(other.shard())),
                "in the shard of the id " + other.value() + ", which is shard " + other.shard());
    }

    /**
     * Verifies that the row exists exactly once in the cluster.
     *
     * @return this
     */
    public RowAssert isStoredOnce() {
        List<RowLocation> locations = actual.locations();
        if (locations.size() != 1 || !actual.stopped().isEmpty()) {
            fail("stored exactly once in the cluster", locations);
        }
        return this;
    }

    /**
     * Verifies that the row does not exist in the cluster.
     *
     * @return this
     */
    public RowAssert isNotStored() {
        List<RowLocation> locations = actual.locations();
        if (!locations.isEmpty() || !actual.stopped().isEmpty()) {
            fail("stored nowhere in the cluster", locations);
        }
        return this;
    }

    private RowAssert isStored(Predicate<RowLocation> where, String expected) {
        List<RowLocation> locations = actual.locations();
        if (locations.stream().noneMatch(where)) {
            fail("stored " + expected, locations);
        }
        return this;
    }

    private void fail(String expected, List<RowLocation> locations) {
        String found = locations.isEmpty()
                ? "nowhere"
                : "in " + locations.stream().map(RowLocation::toString).collect(Collectors.joining(", and in "));
        String named = actual.isSharded() ? " (" + actual.id() + ")" : "";
        String unknown = actual.stopped().isEmpty() ? "" : " Not searched, because stopped: " + actual.stopped() + ".";
        failWithMessage(
                "%s", actual + named + " is expected to be " + expected + ", but was found " + found + "." + unknown);
    }
}
