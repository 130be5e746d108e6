package io.github.shardedid.boot.test;

import java.util.function.Predicate;
import org.assertj.core.api.AbstractAssert;

/** Assertions on what an id says. */
public final class IdAssert extends AbstractAssert<IdAssert, IdInCluster> {
    IdAssert(IdInCluster id) {
        super(id, IdAssert.class);
    }

    /**
     * The id names a shard.
     *
     * @param shard the logical shard
     * @return this
     */
    public IdAssert isInShard(int shard) {
        return is(id -> id.shard() == shard, "name shard " + shard);
    }

    /**
     * The shard that the id names is on a database.
     *
     * @param database {@code pg1} and the like
     * @return this
     */
    public IdAssert isOnDatabase(String database) {
        return is(id -> id.database().equals(database), "name a shard on database " + database);
    }

    /**
     * The id names the same shard as another one.
     *
     * @param idOrEntity a number, or a sharded entity that has an id
     * @return this
     */
    public IdAssert isInTheSameShardAs(Object idOrEntity) {
        IdInCluster other = actual.other(idOrEntity);
        return is(id -> id.shard() == other.shard(), "name the same shard as the " + other);
    }

    /**
     * A database made the id: in blocks for Hibernate, or as the default of the column.
     *
     * @return this
     */
    public IdAssert isMadeByADatabase() {
        return is(id -> id.decoded().node().isEmpty(), "be made by a database, but its sequence is one of JVM nodes");
    }

    /**
     * A JVM made the id, by a leased node.
     *
     * @return this
     */
    public IdAssert isMadeByAJvm() {
        return is(id -> id.decoded().node().isPresent(), "be made by a JVM, but its sequence is one of the database's");
    }

    private IdAssert is(Predicate<IdInCluster> holds, String expected) {
        if (!actual.isKnown() || !holds.test(actual)) {
            failWithMessage("%s", "Expected the " + actual + ", to " + expected + ".");
        }
        return this;
    }
}
