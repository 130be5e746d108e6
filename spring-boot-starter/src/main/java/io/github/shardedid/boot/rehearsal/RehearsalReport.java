package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.spring.data.RepositoryRoutes;
import io.github.shardedid.spring.data.RouteKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A report of what shards would change for what has run so far.
 *
 * @param context the application's context, and the classes of tests that use it
 * @param mappings mappings that would be refused, each with the way out
 * @param assumptions what is assumed of entities without annotations, and what to write
 * @param uniqueInShards unique keys of the mappings that would hold within each shard only, each as {@code table (column, column)}
 * @param methods the routes of the methods that repositories declare
 * @param calls repository methods that were called
 * @param statements statements that were executed
 * @param transactions transactions that wrote rows of several shards
 * @param withoutKey shard keys that were null in rows that were saved
 * @param references references that were written to rows of other shards
 * @param leftOut how many observations were left out because there were too many different ones
 */
public record RehearsalReport(
        String context,
        List<String> mappings,
        List<String> assumptions,
        List<String> uniqueInShards,
        List<RepositoryRoutes.Route> methods,
        List<Call> calls,
        List<Statement> statements,
        List<Transaction> transactions,
        List<WithoutKey> withoutKey,
        List<Reference> references,
        long leftOut) {
    /**
     * Calls of a repository method.
     *
     * @param count how often it was called in this way
     * @param refusal the message with which these calls would be refused; null if they would not
     */
    public record Call(String method, RouteKind kind, long count, @Nullable String refusal) {}

    /**
     * A statement.
     *
     * @param sql the text, without literals
     * @param target where it would be executed; null if it would be refused, or could not be read
     * @param count how often it was executed in this way
     * @param refusal why it would be refused, and the way out; null if it would not
     * @param unchecked whether it may be refused nevertheless: it was not possible to look up its functions in the catalogs of PostgreSQL
     */
    public record Statement(
            String sql, @Nullable StatementTarget target, long count, @Nullable String refusal, boolean unchecked) {}

    /**
     * Transactions that wrote rows of several shards; the second shard would be refused.
     *
     * @param name the transaction's name, usually a method
     * @param rows a row of each shard, of the last such transaction
     * @param count how many there were
     */
    public record Transaction(String name, List<String> rows, long count) {}

    /**
     * Rows that were saved without a value of their shard key, which would be refused.
     *
     * @param attribute the entity's name and the attribute
     * @param count how many there were
     */
    public record WithoutKey(String attribute, long count) {}

    /**
     * References to rows of other shards, which would be refused.
     *
     * @param attribute the entity's name and the attribute
     * @param count how many were written
     */
    public record Reference(String attribute, long count) {}

    /**
     * Returns how often something happened that would be refused. Statements of a call that would be refused are not counted again.
     *
     * @return the sum over calls, statements, transactions, rows and references
     */
    public long refusals() {
        return calls.stream()
                        .filter(call -> call.refusal() != null)
                        .mapToLong(Call::count)
                        .sum()
                + statements.stream()
                        .filter(statement -> statement.refusal() != null)
                        .mapToLong(Statement::count)
                        .sum()
                + transactions.stream().mapToLong(Transaction::count).sum()
                + withoutKey.stream().mapToLong(WithoutKey::count).sum()
                + references.stream().mapToLong(Reference::count).sum();
    }
}
