/** An application with interfaces for clients that docs/libraries.md lists, over two databases. */
@NullMarked
package io.github.shardedid.web;

import org.jspecify.annotations.NullMarked;
