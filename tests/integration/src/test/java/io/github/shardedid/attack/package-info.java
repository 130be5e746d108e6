/**
 * The attack on the promise that no id comes twice: workers in processes of their own make ids in every way there is, on
 * the same few tables, while processes, sessions, servers and clocks are hit at random. Afterwards an oracle compares what
 * every process has written down and what the tables hold.
 */
@NullMarked
package io.github.shardedid.attack;

import org.jspecify.annotations.NullMarked;
