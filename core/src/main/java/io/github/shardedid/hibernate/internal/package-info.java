/**
 * The integration into Hibernate. This package registers it; the others, each of which uses only those above it, are:
 *
 * <ol>
 *   <li>{@code mapping} reads the mappings;
 *   <li>{@code checks} refuses mappings that cannot work, and changes how Hibernate reads the rows of other databases;
 *   <li>{@code unique} claims values that are unique over all shards, and {@code rows} finds the rows of a shard key;
 *   <li>{@code routing} determines the shard of a row, and generates ids;
 *   <li>{@code queries} determines the shards of a statement from the ids, shard keys and unique values that it requires, and
 *       executes it there;
 *   <li>{@code guards} checks what is about to be written;
 *   <li>{@code persister} plans a flush, and loads, locks and writes rows in the shard of their ids;
 *   <li>{@code tenants} and {@code unroutable} are features that are hooked in by interfaces of {@code routing}: sessions of
 *       tenants that know their shard, and rows whose ids name no shard.
 * </ol>
 *
 * <p>Not for applications.
 */
@NullMarked
package io.github.shardedid.hibernate.internal;

import org.jspecify.annotations.NullMarked;
