package io.github.shardedid.routing.internal.scatter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.CurrentShardMap;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardOwnership;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class IdsByShardTests {
    private final Cluster cluster = new Cluster(
            IdLayout.DEFAULT,
            CurrentShardMap.fixed(new ShardMap(
                    4,
                    IntStream.range(0, 4)
                            .mapToObj(shard -> new ShardOwnership(shard, "pg1", 1))
                            .toList(),
                    Map.of())));
    private final List<@Nullable Object> sent = new ArrayList<>();

    /** Notes the arrays that it is told to make. */
    private final Connection connection = of(Connection.class, (proxy, method, arguments) -> {
        sent.add(arguments[0]);
        sent.addAll(Arrays.asList((Object[]) arguments[1]));
        return null;
    });

    private final PreparedStatement statement = of(
            PreparedStatement.class,
            (proxy, method, arguments) -> method.getName().equals("getConnection") ? connection : null);

    private static <T> T of(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(IdsByShardTests.class.getClassLoader(), new Class<?>[] {type}, calls));
    }

    private static java.sql.Array array(String type, Object elements) {
        return of(
                java.sql.Array.class,
                (proxy, method, arguments) -> method.getName().equals("getArray") ? elements : type);
    }

    private static long id(int shard, int sequence) {
        return IdLayout.DEFAULT.encode(1_000, shard, sequence);
    }

    private List<@Nullable Object> sentTo(@Nullable Integer shard, @Nullable Object... values) throws SQLException {
        sent.clear();
        IdsByShard ids = new IdsByShard(cluster);
        for (Object value : values) {
            ids.add(value);
        }
        ids.setOn(statement, 1, shard);
        return sent;
    }

    @Test
    void aShardIsSentItsOwnOnce() throws SQLException {
        long[] plain = {id(1, 1), id(2, 1), id(1, 2), id(1, 1), -1, id(7, 1)};
        Long[] boxed = LongStream.of(plain).boxed().toArray(Long[]::new);
        for (Object value : List.of(plain, boxed, array("int8", boxed))) {
            assertThat(sentTo(1, value)).containsExactly("int8", id(1, 1), id(1, 2));
            assertThat(sentTo(2, value)).containsExactly("int8", id(2, 1));
            assertThat(sentTo(3, value)).containsExactly("int8");
            assertThat(sentTo(null, value)).containsExactly("int8");
        }
        assertThat(sentTo(0, 5, 6L, (short) 5)).containsExactly("int8", 5L, 6L);
        assertThat(sentTo(3, id(3, 1), null, new int[] {5}, null)).containsExactly("int8", id(3, 1));
    }

    @Test
    void otherValuesAreNoIds() throws SQLException {
        String[] texts = {"1"};
        for (Object value : List.of(
                "1", 1.0, new BigDecimal("7"), BigInteger.TEN, texts, array("text", texts), List.of(1L), new Object[] {
                    1L, "1"
                })) {
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> new IdsByShard(cluster).add(value))
                    .withMessageContaining("no whole number");
        }
    }
}
