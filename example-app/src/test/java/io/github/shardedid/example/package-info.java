/** The example over HTTP, on real servers, and looked at from behind with plain SQL. */
@NullMarked
package io.github.shardedid.example;

import org.jspecify.annotations.NullMarked;
