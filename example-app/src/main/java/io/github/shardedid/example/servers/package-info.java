/** Embedded PostgreSQL servers, so that the example runs without any setup. Your application does not need this package:
 * configure your servers instead. */
@NullMarked
package io.github.shardedid.example.servers;

import org.jspecify.annotations.NullMarked;
