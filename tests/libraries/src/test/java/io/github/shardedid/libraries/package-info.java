/** An application with libraries that keep tables of their own, in the global database beside two databases of shards. */
@NullMarked
package io.github.shardedid.libraries;

import org.jspecify.annotations.NullMarked;
