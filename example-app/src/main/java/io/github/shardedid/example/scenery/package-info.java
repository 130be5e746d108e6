/** Pictures that are drawn, so that there is something to see without a camera. The same number gives the same picture. */
@NullMarked
package io.github.shardedid.example.scenery;

import org.jspecify.annotations.NullMarked;
