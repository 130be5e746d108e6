/** What a newcomer sees first: where things are, and lines to try, from the one file that holds them. */
@NullMarked
package io.github.shardedid.example.welcome;

import org.jspecify.annotations.NullMarked;
