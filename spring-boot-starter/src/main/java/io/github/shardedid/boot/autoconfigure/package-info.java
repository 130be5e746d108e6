/**
 * Auto-configuration of a sharded cluster: properties and their checks, connection pools, provisioning, and the routing data
 * source. Each bean backs off to a bean of the application. Packages beside this one add health indicators, metrics, an endpoint,
 * commands and the like; they depend on this package, never the reverse.
 */
@NullMarked
package io.github.shardedid.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
