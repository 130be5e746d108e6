@NullMarked
package io.github.shardedid.boot.named;

import org.jspecify.annotations.NullMarked;
