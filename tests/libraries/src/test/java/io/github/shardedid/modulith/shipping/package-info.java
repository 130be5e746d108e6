/** Listens to the events of the purchases. */
@NullMarked
package io.github.shardedid.modulith.shipping;

import org.jspecify.annotations.NullMarked;
