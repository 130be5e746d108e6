/** A load generator over HTTP, with the throughput, latency, failures and pauses that its clients measure. */
@NullMarked
package io.github.shardedid.example.load;

import org.jspecify.annotations.NullMarked;
