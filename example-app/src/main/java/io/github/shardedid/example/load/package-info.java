/** Traffic as clients make it, over HTTP, and what these clients see: throughput, latency, failures, the pause of a move. */
@NullMarked
package io.github.shardedid.example.load;

import org.jspecify.annotations.NullMarked;
