/** Tests of the sources of ids. */
package io.github.shardedid.generator;
