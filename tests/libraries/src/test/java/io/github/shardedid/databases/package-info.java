/** The two databases of each application of these tests. */
@NullMarked
package io.github.shardedid.databases;

import org.jspecify.annotations.NullMarked;
