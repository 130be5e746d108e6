/** Tests of provisioning and of the SQL in the databases, on real servers. */
@NullMarked
package io.github.shardedid.provisioning;

import org.jspecify.annotations.NullMarked;
