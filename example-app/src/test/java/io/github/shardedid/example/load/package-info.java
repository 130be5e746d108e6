/** Tests of the load's own arithmetic. */
@NullMarked
package io.github.shardedid.example.load;

import org.jspecify.annotations.NullMarked;
