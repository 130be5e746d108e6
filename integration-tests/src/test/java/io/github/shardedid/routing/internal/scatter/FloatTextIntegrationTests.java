package io.github.shardedid.routing.internal.scatter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.test.PostgresServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Floating-point numbers as text: as PostgreSQL writes them. */
class FloatTextIntegrationTests {
    private static final int COUNT = 3_000;

    @Test
    void doubles() throws SQLException {
        Random random = new Random(1);
        List<Double> numbers =
                new ArrayList<>(List.of(0.0, -0.0, 12.0, 1e14, 999999999999999.0, 1e15, Math.pow(10, 23)));
        numbers.addAll(List.of(1e-4, 1e-5, Double.MIN_VALUE, Double.MAX_VALUE, Double.NaN, Double.NEGATIVE_INFINITY));
        for (int exponent = Double.MIN_EXPONENT - 52; exponent <= Double.MAX_EXPONENT; exponent++) {
            numbers.add(Math.scalb(1.0, exponent));
        }
        for (int i = 0; i < COUNT; i++) {
            numbers.add(Double.longBitsToDouble(random.nextLong()));
            numbers.add(random.nextInt(10_000) / 1000.0 + random.nextInt(100));
        }
        double[] array = numbers.stream().mapToDouble(number -> number).toArray();
        assertThat(numbers.stream().map(number -> FloatText.of(number)).toList())
                .isEqualTo(written("float8", array));
    }

    @Test
    void floats() throws SQLException {
        Random random = new Random(1);
        float[] array = new float[COUNT];
        float[] some = {0f, -0f, 12f, 999999f, 1e6f, 1e-4f, 1e-5f, Float.MIN_VALUE, Float.MAX_VALUE, Float.NaN};
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            int exponent = Float.MIN_EXPONENT - 23 + i;
            array[i] = i < some.length ? some[i] : Float.intBitsToFloat(random.nextInt());
            array[i] = exponent <= Float.MAX_EXPONENT && i >= some.length ? Math.scalb(1f, exponent) : array[i];
            texts.add(FloatText.of(array[i]));
        }
        assertThat(texts).isEqualTo(written("float4", array));
    }

    private static List<String> written(String type, Object numbers) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = PostgresServers.shared(1).connect("postgres");
                PreparedStatement statement = connection.prepareStatement(
                        "select cast(v as text) from unnest(?) with ordinality as x(v, n) order by n")) {
            statement.setArray(1, connection.unwrap(PGConnection.class).createArrayOf(type, numbers));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    texts.add(rows.getString(1));
                }
            }
        }
        return texts;
    }
}
