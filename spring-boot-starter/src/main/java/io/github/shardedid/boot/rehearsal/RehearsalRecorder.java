package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.spring.data.RehearsedRepositoryPostProcessor;
import io.github.shardedid.spring.data.RouteKind;
import java.sql.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Counts the different calls, statements and transactions, up to a limit. Safe for use by several threads. */
final class RehearsalRecorder implements Rehearsal.Listener, RehearsedRepositoryPostProcessor.Calls {
    private static final int MOST = 5_000;

    private final ThreadLocal<Deque<OpenCall>> open = ThreadLocal.withInitial(ArrayDeque::new);
    private final Map<CallUse, LongAdder> calls = new ConcurrentHashMap<>();
    private final ObservedStatements statements = new ObservedStatements(MOST);
    private final Map<String, SeveralShards> transactions = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> withoutKey = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> references = new ConcurrentHashMap<>();
    private final LongAdder leftOut = new LongAdder();

    /** A call of a repository, which may be a transaction of its own for each shard. */
    private record OpenCall(RouteKind kind, boolean perShard) {}

    record CallUse(String method, RouteKind kind, @Nullable String refusal) {}

    /** Rows of several shards that transactions of one name have written. */
    record SeveralShards(List<String> rows, LongAdder count) {}

    @Override
    public RehearsedRepositoryPostProcessor.Call begin(String method, RouteKind kind, @Nullable String refusal) {
        count(calls, new CallUse(method, kind, refusal));
        boolean perShard =
                kind == RouteKind.SHARD_OF_EACH_ROW && !TransactionSynchronizationManager.isActualTransactionActive();
        open.get().push(new OpenCall(refusal == null ? kind : RouteKind.NEEDS_SCOPE, perShard));
        return this::end;
    }

    private void end() {
        Deque<OpenCall> begun = open.get();
        begun.pop();
        if (begun.isEmpty()) {
            open.remove();
        }
    }

    @Override
    public void read(Rehearsal rehearsal) {
        statements.add(rehearsal);
    }

    /** A statement is about to be executed over a connection. */
    void executed(String sql, Connection connection) {
        StatementOrigin origin = StatementOrigin.current();
        if (origin != StatementOrigin.SETUP) {
            statements.executed(sql, origin, scope(), call() == RouteKind.NEEDS_SCOPE, connection);
        }
    }

    private @Nullable RouteKind call() {
        OpenCall call = open.get().peek();
        return call == null ? null : call.kind();
    }

    /** The innermost call that determines shards, else the scope that is open. */
    private @Nullable RouteKind scope() {
        RouteKind call = call();
        if (call != null && call != RouteKind.NEEDS_SCOPE) {
            return call;
        }
        if (ShardContext.isGlobal()) {
            return RouteKind.GLOBAL;
        }
        if (ShardContext.currentSet().isPresent()) {
            return RouteKind.ALL_SHARDS;
        }
        return ShardContext.current().isPresent() ? RouteKind.ONE_SHARD : null;
    }

    @Override
    public void written(String entity, Object id, @Nullable Object shard) {
        boolean perShard = open.get().stream().anyMatch(OpenCall::perShard);
        if (shard == null || perShard || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return;
        }
        WrittenShards written = TransactionSynchronizationManager.getSynchronizations().stream()
                .filter(WrittenShards.class::isInstance)
                .map(WrittenShards.class::cast)
                .findFirst()
                .orElse(null);
        if (written == null) {
            written = new WrittenShards(TransactionSynchronizationManager.getCurrentTransactionName(), this::wrote);
            TransactionSynchronizationManager.registerSynchronization(written);
        }
        written.add(shard, entity + " " + id);
    }

    @Override
    public void withoutKey(String attribute) {
        count(withoutKey, attribute);
    }

    @Override
    public void refersAcross(String attribute) {
        count(references, attribute);
    }

    List<RehearsalReport.WithoutKey> withoutKey() {
        List<RehearsalReport.WithoutKey> all = new ArrayList<>();
        withoutKey.forEach((attribute, count) -> all.add(new RehearsalReport.WithoutKey(attribute, count.sum())));
        return all;
    }

    List<RehearsalReport.Reference> references() {
        List<RehearsalReport.Reference> all = new ArrayList<>();
        references.forEach((attribute, count) -> all.add(new RehearsalReport.Reference(attribute, count.sum())));
        return all;
    }

    private void wrote(String name, List<String> rows) {
        if (transactions.containsKey(name) || transactions.size() < MOST) {
            transactions
                    .merge(
                            name,
                            new SeveralShards(rows, new LongAdder()),
                            (known, again) -> new SeveralShards(rows, known.count()))
                    .count()
                    .increment();
        } else {
            leftOut.increment();
        }
    }

    private <K> void count(Map<K, LongAdder> counts, K key) {
        LongAdder known = counts.get(key);
        if (known == null && counts.size() >= MOST) {
            leftOut.increment();
            return;
        }
        counts.computeIfAbsent(key, k -> new LongAdder()).increment();
    }

    List<RehearsalReport.Call> calls() {
        List<RehearsalReport.Call> all = new ArrayList<>();
        calls.forEach((use, count) ->
                all.add(new RehearsalReport.Call(use.method(), use.kind(), count.sum(), use.refusal())));
        return all;
    }

    ObservedStatements statements() {
        return statements;
    }

    List<RehearsalReport.Transaction> transactions() {
        List<RehearsalReport.Transaction> all = new ArrayList<>();
        transactions.forEach((name, several) -> all.add(new RehearsalReport.Transaction(
                name, several.rows(), several.count().sum())));
        return all;
    }

    long leftOut() {
        return leftOut.sum() + statements.leftOut();
    }
}
