package io.github.shardedid.boot.test;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;

/** Assertions on where the row of an entity is. Each looks for it anew. */
public final class RowAssert extends AbstractAssert<RowAssert, RowInCluster> {
    RowAssert(RowInCluster row) {
        super(row, RowAssert.class);
    }

    /**
     * The row is in the schema of the shard that its id names, on the database that owns it.
     *
     * @return this
     */
    public RowAssert isStoredInTheShardItsIdNames() {
        IdInCluster id = actual.id();
        return isStored(
                place -> place.shard().equals(OptionalInt.of(id.shard()))
                        && place.database().equals(id.database()),
                "where its id names it");
    }

    /**
     * The row is in the schema of a shard.
     *
     * @param shard the logical shard
     * @return this
     */
    public RowAssert isStoredInShard(int shard) {
        return isStored(place -> place.shard().equals(OptionalInt.of(shard)), "in shard " + shard);
    }

    /**
     * The row is on a database. That of a global entity, too.
     *
     * @param database {@code pg1} and the like
     * @return this
     */
    public RowAssert isOnDatabase(String database) {
        return isStored(place -> place.database().equals(database), "on database " + database);
    }

    /**
     * The row is in the shard that the id of another one names.
     *
     * @param idOrEntity a number, or a sharded entity that has an id
     * @return this
     */
    public RowAssert isInTheSameShardAs(Object idOrEntity) {
        IdInCluster other = actual.id().other(idOrEntity);
        return isStored(
                place -> place.shard().equals(OptionalInt.of(other.shard())),
                "in the shard of the id " + other.value() + ", which is shard " + other.shard());
    }

    /**
     * The row exists exactly once in the whole cluster.
     *
     * @return this
     */
    public RowAssert isStoredOnce() {
        List<RowPlace> places = actual.places();
        if (places.size() != 1 || !actual.stopped().isEmpty()) {
            fail("stored exactly once in the cluster", places);
        }
        return this;
    }

    /**
     * The row exists nowhere in the cluster.
     *
     * @return this
     */
    public RowAssert isNotStored() {
        List<RowPlace> places = actual.places();
        if (!places.isEmpty() || !actual.stopped().isEmpty()) {
            fail("stored nowhere in the cluster", places);
        }
        return this;
    }

    private RowAssert isStored(Predicate<RowPlace> where, String expected) {
        List<RowPlace> places = actual.places();
        if (places.stream().noneMatch(where)) {
            fail("stored " + expected, places);
        }
        return this;
    }

    private void fail(String expected, List<RowPlace> places) {
        String found = places.isEmpty()
                ? "nowhere"
                : "in " + places.stream().map(RowPlace::toString).collect(Collectors.joining(", and in "));
        String named = actual.isSharded() ? " (" + actual.id() + ")" : "";
        String unknown =
                actual.stopped().isEmpty() ? "" : " Not looked into, because stopped: " + actual.stopped() + ".";
        failWithMessage(
                "%s", actual + named + " is expected to be " + expected + ", but was found " + found + "." + unknown);
    }
}
