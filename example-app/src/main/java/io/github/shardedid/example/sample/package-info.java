/** People and photos that are there at the first start, so that the first view is not empty. */
@NullMarked
package io.github.shardedid.example.sample;

import org.jspecify.annotations.NullMarked;
