/** Reports how the versions and structures of shards differ. */
@NullMarked
package io.github.shardedid.provisioning.drift;

import org.jspecify.annotations.NullMarked;
