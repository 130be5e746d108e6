/** What an application would do instead: other ways to spread the same rows over the same databases. */
@NullMarked
package io.github.shardedid.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
