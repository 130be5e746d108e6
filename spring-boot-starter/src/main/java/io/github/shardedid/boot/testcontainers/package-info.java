/** Connection details from Testcontainers: {@code @ServiceConnection(name = "pg1")}. */
@NullMarked
package io.github.shardedid.boot.testcontainers;

import org.jspecify.annotations.NullMarked;
