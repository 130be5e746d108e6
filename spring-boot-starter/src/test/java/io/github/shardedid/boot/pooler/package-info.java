/** The application behind a connection pooler. */
@NullMarked
package io.github.shardedid.boot.pooler;

import org.jspecify.annotations.NullMarked;
