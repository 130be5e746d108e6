/** Runs the application's Liquibase change log in the schema of a shard. Liquibase is optional: nothing else names its classes. */
@NullMarked
package io.github.shardedid.provisioning.internal.liquibase;

import org.jspecify.annotations.NullMarked;
