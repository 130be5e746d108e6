@NullMarked
package io.github.shardedid.boot.docker;

import org.jspecify.annotations.NullMarked;
