@NullMarked
package io.github.shardedid.move;

import org.jspecify.annotations.NullMarked;
