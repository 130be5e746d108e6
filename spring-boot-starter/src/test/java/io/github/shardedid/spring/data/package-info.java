@NullMarked
package io.github.shardedid.spring.data;

import org.jspecify.annotations.NullMarked;
