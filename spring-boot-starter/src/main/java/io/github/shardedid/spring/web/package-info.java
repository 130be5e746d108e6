/** Ids of clients that are malformed or cannot be used, and shards that are unavailable, answered as problem details of RFC 9457. */
@NullMarked
package io.github.shardedid.spring.web;

import org.jspecify.annotations.NullMarked;
