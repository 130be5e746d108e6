@NullMarked
package io.github.shardedid.boot.migration;

import org.jspecify.annotations.NullMarked;
