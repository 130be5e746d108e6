/**
 * Auto-configuration of a sharded cluster: properties and their checks, connection pools, provisioning, and the routing data
 * source; commands of the command line, and the analysis of a failed start. Each bean backs off to a bean of the application. Packages
 * beside this one add health indicators, metrics and endpoints; they depend on this package, never the reverse.
 */
@NullMarked
package io.github.shardedid.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;
