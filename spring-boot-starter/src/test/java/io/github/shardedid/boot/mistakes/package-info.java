/** An application that its owner has ported with every usual mistake. */
@NullMarked
package io.github.shardedid.boot.mistakes;

import org.jspecify.annotations.NullMarked;
