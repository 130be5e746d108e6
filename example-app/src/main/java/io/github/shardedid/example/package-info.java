/**
 * Photo sharing on logical shards: what an application on sharded-id looks like. Users live where the hash of their name
 * says, photos with their authors, likes and comments with their photos.
 */
@NullMarked
package io.github.shardedid.example;

import org.jspecify.annotations.NullMarked;
