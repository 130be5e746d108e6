package io.github.shardedid.boot.rehearsal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;

/** The shards in which a transaction writes, each with the first row. For one thread. */
final class WrittenShards implements TransactionSynchronization {
    private final String name;
    private final BiConsumer<String, List<String>> several;
    private final Map<Object, String> rows = new LinkedHashMap<>();

    WrittenShards(@Nullable String name, BiConsumer<String, List<String>> several) {
        this.name = name == null ? "a transaction without a name" : name;
        this.several = several;
    }

    void add(Object shard, String row) {
        rows.putIfAbsent(shard, row);
    }

    @Override
    public void afterCompletion(int status) {
        if (rows.size() > 1) {
            several.accept(name, List.copyOf(rows.values()));
        }
    }
}
