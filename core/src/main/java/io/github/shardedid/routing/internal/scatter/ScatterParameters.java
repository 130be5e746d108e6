package io.github.shardedid.routing.internal.scatter;

import io.github.shardedid.routing.internal.sql.query.ScatterQuery;
import io.github.shardedid.routing.internal.sql.query.ValueLists;
import io.github.shardedid.topology.Cluster;
import java.lang.reflect.Method;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The parameters that were set on a statement for several shards. For one thread at a time. */
final class ScatterParameters {
    private static final Pattern READ_ONCE = Pattern.compile("set.*(Stream|Blob|Clob)");

    private final Map<Integer, BoundParameters.Setting> settings = new HashMap<>();

    public void set(Method method, @Nullable Object[] arguments) throws SQLException {
        if (READ_ONCE.matcher(method.getName()).matches()) {
            throw new SQLFeatureNotSupportedException(method.getName()
                    + " gives a value that can be read once, but a query over several shards sends it to each. Use"
                    + " setBytes or setString.");
        }
        if (!(arguments[0] instanceof Integer index)) {
            throw new SQLException("Parameters have numbers, not " + arguments[0] + ".", "22023");
        }
        settings.put(index, new BoundParameters.Setting(method, Arrays.asList(arguments.clone())));
    }

    public void clear() {
        settings.clear();
    }

    private BoundParameters.Setting setting(int parameter) throws SQLException {
        BoundParameters.Setting setting = settings.get(parameter);
        if (setting == null) {
            throw new SQLException("No value is set for parameter " + parameter + ".", "22023");
        }
        return setting;
    }

    /**
     * Returns the parameters of a query, as they are now.
     *
     * @param values what the query's parameters stand for
     * @return null if a list has other values than whole numbers
     */
    public @Nullable BoundParameters bound(ScatterQuery query, List<ValueLists.Values> values, Cluster cluster)
            throws SQLException {
        Set<Integer> lists = query.listsOfIds().keySet();
        List<BoundParameters.Parameter> bound = new ArrayList<>();
        for (ValueLists.Values each : values) {
            IdsByShard ids = each.isList() || lists.contains(bound.size() + 1) ? ids(each, cluster) : null;
            if (ids == null && each.isList()) {
                return null;
            }
            bound.add(new BoundParameters.Parameter(
                    each.parameters().isEmpty()
                            ? null
                            : setting(each.parameters().get(0)),
                    ids));
        }
        return new BoundParameters(bound);
    }

    private @Nullable IdsByShard ids(ValueLists.Values values, Cluster cluster) throws SQLException {
        List<@Nullable Object> all = new ArrayList<>(values.numbers());
        for (int parameter : values.parameters()) {
            all.add(setting(parameter).value());
        }
        if (values.hasNull()) {
            all.add(null);
        }
        return IdsByShard.of(all, cluster);
    }
}
