package io.github.shardedid.routing.internal.scatter.ids;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArrayOfIdsTests {
    private final Cluster cluster = new Cluster(
            IdLayout.DEFAULT,
            CurrentShardMap.fixed(new ShardMap(
                    4,
                    IntStream.range(0, 4)
                            .mapToObj(shard -> new ShardOwnership(shard, "pg1", 1))
                            .toList(),
                    Map.of())));
    private final List<Object> sent = new ArrayList<>();

    /** Notes the arrays that it is told to make. */
    private final Connection connection = of(Connection.class, (proxy, method, arguments) -> {
        sent.add(arguments[0]);
        sent.addAll(List.of((Object[]) arguments[1]));
        return null;
    });

    private final PreparedStatement statement = of(
            PreparedStatement.class,
            (proxy, method, arguments) -> method.getName().equals("getConnection") ? connection : null);

    private static <T> T of(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(ArrayOfIdsTests.class.getClassLoader(), new Class<?>[] {type}, calls));
    }

    private static java.sql.Array array(String type, Object elements) {
        return of(
                java.sql.Array.class,
                (proxy, method, arguments) -> method.getName().equals("getArray") ? elements : type);
    }

    private static long id(int shard, int sequence) {
        return IdLayout.DEFAULT.encode(1_000, shard, sequence);
    }

    private List<Object> sentTo(int shard, Object value) throws SQLException {
        sent.clear();
        ArrayOfIds ids = ArrayOfIds.of(new Object[] {1, value});
        assertThat(ids).isNotNull();
        if (ids != null) {
            ids.setOn(statement, 1, shard, cluster);
        }
        return sent;
    }

    @Test
    void aShardIsSentItsOwn() throws SQLException {
        @Nullable Long[] ids = {id(1, 1), null, id(2, 1), id(1, 2), -1L, id(7, 1)};
        long[] plain = {id(1, 1), id(2, 1), id(1, 2)};
        for (Object value : List.of(ids, plain, array("int8", ids))) {
            assertThat(sentTo(1, value)).containsExactly("int8", id(1, 1), id(1, 2));
            assertThat(sentTo(2, value)).containsExactly("int8", id(2, 1));
            assertThat(sentTo(3, value)).containsExactly("int8");
        }
        assertThat(sentTo(0, new int[] {5})).containsExactly("int4", 5);
        assertThat(sentTo(0, new Integer[] {5})).containsExactly("int4", 5);
    }

    @Test
    void otherValuesAreNoIds() throws SQLException {
        String[] texts = {"1"};
        for (Object value : List.of(1L, "{1}", texts, array("text", texts), array("int8", new Object()), List.of(1L))) {
            assertThat(ArrayOfIds.of(new Object[] {1, value})).isNull();
        }
        assertThat(ArrayOfIds.of(new @Nullable Object[] {1, null})).isNull();
        assertThat(ArrayOfIds.of(new Object[] {1})).isNull();
    }
}
