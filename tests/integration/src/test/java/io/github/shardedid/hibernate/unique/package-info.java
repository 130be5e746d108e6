@NullMarked
package io.github.shardedid.hibernate.unique;

import org.jspecify.annotations.NullMarked;
