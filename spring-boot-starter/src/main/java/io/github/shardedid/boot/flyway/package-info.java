/**
 * Disables Spring Boot's own Flyway on the routing data source: the provisioner runs the migrations of the shards.
 */
@NullMarked
package io.github.shardedid.boot.flyway;

import org.jspecify.annotations.NullMarked;
