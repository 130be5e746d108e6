/** Real PostgreSQL servers as processes of this machine, for running the example without any set-up. An application of
 * yours has no such package: it names its servers in the configuration. */
@NullMarked
package io.github.shardedid.example.servers;

import org.jspecify.annotations.NullMarked;
