/** Requests over HTTP, as clients send them. */
@NullMarked
package io.github.shardedid.boot.web;

import org.jspecify.annotations.NullMarked;
