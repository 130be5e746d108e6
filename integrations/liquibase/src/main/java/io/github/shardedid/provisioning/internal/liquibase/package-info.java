/** Runs the application's Liquibase change log in the schema of a shard: an artifact of its own, found by the service loader. */
@NullMarked
package io.github.shardedid.provisioning.internal.liquibase;

import org.jspecify.annotations.NullMarked;
