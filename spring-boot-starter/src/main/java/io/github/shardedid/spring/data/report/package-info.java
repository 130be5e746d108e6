/** Reports how the calls of repository methods determine their shards. */
@NullMarked
package io.github.shardedid.spring.data.report;

import org.jspecify.annotations.NullMarked;
