/** Real PostgreSQL servers for the tests of all modules: embedded ones, or containers where Docker is there. */
@NullMarked
package io.github.shardedid.test;

import org.jspecify.annotations.NullMarked;
