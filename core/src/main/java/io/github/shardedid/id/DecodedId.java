package io.github.shardedid.id;

import java.time.Instant;
import java.util.OptionalInt;

/**
 * The fields of an id.
 *
 * @param id the id itself, not negative
 * @param instant when the id was generated, in the layout's unit (a burst may run some units ahead of the clock)
 * @param shard the logical shard that contains the row, 0 or more
 * @param node the JVM node that generated the id, or empty if a database did
 * @param sequence the value of the sequence field, 0 to 2<sup>sequenceBits</sup> − 1
 */
public record DecodedId(long id, Instant instant, int shard, OptionalInt node, int sequence) {}
