/** An application that reads the tables before the adoption by a second, unsharded persistence unit of the same class. */
@NullMarked
package io.github.shardedid.boot.units;

import org.jspecify.annotations.NullMarked;
