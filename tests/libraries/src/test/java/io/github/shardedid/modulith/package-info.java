/** An application with Spring Modulith's event publication registry over two databases. */
@NullMarked
package io.github.shardedid.modulith;

import org.jspecify.annotations.NullMarked;
