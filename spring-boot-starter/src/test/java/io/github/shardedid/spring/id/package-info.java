@NullMarked
package io.github.shardedid.spring.id;

import org.jspecify.annotations.NullMarked;
