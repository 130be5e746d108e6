/**
 * What Spring Data knows of a repository, of its methods and their declared queries, what their calls run in, and the report of how they
 * determine their shards.
 */
@NullMarked
package io.github.shardedid.spring.data.repository;

import org.jspecify.annotations.NullMarked;
