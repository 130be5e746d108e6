@NullMarked
package io.github.shardedid.operations.internal;

import org.jspecify.annotations.NullMarked;
