package io.github.shardedid.hibernate.internal.unique;

/**
 * A value that a row is about to have.
 *
 * @param text what is claimed, see {@link UniqueKey}
 * @param id the row, whose shard the id names
 */
public record Claim(UniqueKey key, String text, long id) {}
