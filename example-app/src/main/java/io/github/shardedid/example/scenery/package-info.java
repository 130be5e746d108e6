/** Generated pictures for sample photos and photos without a picture. The same number gives the same picture. */
@NullMarked
package io.github.shardedid.example.scenery;

import org.jspecify.annotations.NullMarked;
