/** From a target to its database and schema, and who is notified of what is executed there. */
@NullMarked
package io.github.shardedid.routing.internal.target;

import org.jspecify.annotations.NullMarked;
