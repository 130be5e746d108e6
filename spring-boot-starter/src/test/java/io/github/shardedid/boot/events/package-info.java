@NullMarked
package io.github.shardedid.boot.events;

import org.jspecify.annotations.NullMarked;
