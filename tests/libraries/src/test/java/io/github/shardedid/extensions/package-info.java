/** An application with libraries around data sources, mappings, repositories and calls that docs/libraries.md lists, over two databases. */
@NullMarked
package io.github.shardedid.extensions;

import org.jspecify.annotations.NullMarked;
