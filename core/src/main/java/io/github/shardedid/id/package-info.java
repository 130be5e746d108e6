/**
 * Layouts of ids: which bits of an id contain the timestamp, the shard and the sequence. The types are immutable values
 * and use nothing but the JDK.
 */
@NullMarked
package io.github.shardedid.id;

import org.jspecify.annotations.NullMarked;
