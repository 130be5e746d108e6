/** A small application, photo sharing, on which the starter is tested. */
@NullMarked
package io.github.shardedid.boot.app;

import org.jspecify.annotations.NullMarked;
