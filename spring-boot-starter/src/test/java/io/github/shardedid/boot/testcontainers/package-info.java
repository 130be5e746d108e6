@NullMarked
package io.github.shardedid.boot.testcontainers;

import org.jspecify.annotations.NullMarked;
