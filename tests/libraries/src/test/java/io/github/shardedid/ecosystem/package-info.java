/** An application with the features of mappings and the libraries for queries that docs/libraries.md lists, over two databases. */
@NullMarked
package io.github.shardedid.ecosystem;

import org.jspecify.annotations.NullMarked;
