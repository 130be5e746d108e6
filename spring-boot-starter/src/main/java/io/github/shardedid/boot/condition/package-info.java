/** Conditions of auto-configurations on beans of the application. */
@NullMarked
package io.github.shardedid.boot.condition;

import org.jspecify.annotations.NullMarked;
