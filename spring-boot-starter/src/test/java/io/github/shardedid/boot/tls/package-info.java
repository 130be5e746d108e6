/** The application where the servers accept encrypted connections with client certificates only. */
@NullMarked
package io.github.shardedid.boot.tls;

import org.jspecify.annotations.NullMarked;
