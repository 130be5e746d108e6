/** Malformed ids of clients, answered as problem details of RFC 9457. */
@NullMarked
package io.github.shardedid.spring.web;

import org.jspecify.annotations.NullMarked;
