package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A start whose mappings are compared with one shard before the others are migrated: what is wrong is known before anything is made.
 * Methods are called by several threads.
 */
public interface CheckedStart {
    /**
     * Returns the shard that the checks examine.
     *
     * @return the only shard that has been migrated; null if all have been
     */
    @Nullable
    Integer shard();

    /**
     * Returns why the start is refused, whatever the checks find.
     *
     * @return the failure of migrations, or of what comes before them, with others suppressed; null if there is none
     */
    @Nullable
    ShardedIdException failure();

    /**
     * Returns whether tables may be missing that the migrations make.
     *
     * @return true if migrations have failed, or could not run
     */
    boolean lacksMigrations();

    /**
     * Runs a check, which may use the data source before all shards have been migrated.
     *
     * @param check runs on the calling thread
     */
    void check(Runnable check);

    /**
     * Lets all databases have copies of tables of the global database, as far as that is possible. Called before the mappings are
     * checked, if there are such tables.
     *
     * @param tables of the global schema, as PostgreSQL stores their names
     */
    default void replicate(Set<String> tables) {}

    /**
     * Migrates the other shards. Called after the checks have found no problem, before there is a session factory.
     */
    void complete();
}
