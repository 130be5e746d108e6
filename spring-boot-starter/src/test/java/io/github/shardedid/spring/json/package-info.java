@NullMarked
package io.github.shardedid.spring.json;

import org.jspecify.annotations.NullMarked;
