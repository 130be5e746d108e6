/**
 * The statements of a routed connection: where each goes, also after its shard has moved, and the objects that
 * the application has instead of the driver's.
 *
 * <p>Statements, results, large objects and metadata are proxies of the driver's objects. Each of them could
 * write, or lead to the driver's connection, without a statement that is routed. {@code Router} decides, {@code
 * PreparedFacade} executes and repeats, and the other facades translate the calls of JDBC into both.
 */
@NullMarked
package io.github.shardedid.routing.internal.statement;

import org.jspecify.annotations.NullMarked;
