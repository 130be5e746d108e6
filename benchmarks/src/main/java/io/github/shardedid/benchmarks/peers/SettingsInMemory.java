package io.github.shardedid.benchmarks.peers;

import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.shardingsphere.mode.repository.standalone.StandalonePersistRepository;
import org.jspecify.annotations.Nullable;

/** An in-memory repository for ShardingSphere's settings and metadata. The default is an embedded database. */
public final class SettingsInMemory implements StandalonePersistRepository {
    private final ConcurrentNavigableMap<String, String> values = new ConcurrentSkipListMap<>();

    /** Called by ShardingSphere. */
    public SettingsInMemory() {}

    @Override
    public @Nullable String query(String key) {
        return values.get(key);
    }

    @Override
    public List<String> getChildrenKeys(String key) {
        String start = key.endsWith(PATH_SEPARATOR) ? key : key + PATH_SEPARATOR;
        return below(start).keySet().stream()
                .map(child -> child.substring(start.length()).split(PATH_SEPARATOR, 2)[0])
                .distinct()
                .toList();
    }

    private ConcurrentNavigableMap<String, String> below(String start) {
        return values.subMap(start, start + Character.MAX_VALUE);
    }

    @Override
    public boolean isExisted(String key) {
        return values.containsKey(key) || !getChildrenKeys(key).isEmpty();
    }

    @Override
    public void persist(String key, String value) {
        values.put(key, value);
    }

    @Override
    public void update(String key, String value) {
        values.put(key, value);
    }

    @Override
    public void delete(String key) {
        values.remove(key);
        below(key + PATH_SEPARATOR).clear();
    }

    @Override
    public void close() {
        values.clear();
    }

    @Override
    public String getType() {
        return "Memory";
    }
}
