package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.UnsupportedStatementException;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.core.NativeQuery;
import org.postgresql.core.Parser;

/** The driver and the server cut random texts into the same statements and tokens. */
@Tag("quick")
class SqlTokenizerIntegrationTests {
    private static final int TEXTS = 400 * (Boolean.getBoolean("sharded-id.test.longer") ? 100 : 1);
    private static final List<String> EXPRESSIONS = List.of(
            "1",
            "1.",
            ".5",
            "1.e1",
            "1.5E-1",
            "1e2",
            "1_000",
            "0xFf",
            "0b1_1",
            "0o17",
            "1 .5",
            "1.a",
            "2x",
            "1e",
            "0x",
            "'a'",
            "'it''s'",
            "'\\'",
            "''",
            "'a'\n'b'",
            "'a' -- x\r'b'",
            "'a'\u000b\f\r'b\\'",
            "'a' /* c */ 'b'",
            "'a' 'b'",
            "E'a\\'b'",
            "e'\\\\'",
            "E'a'\n'b'",
            "E'a'\r'\\''",
            "B'01'",
            "x'1f'",
            "N'n\\'",
            "U&'d\\0061t'",
            "u&'!0061' UESCAPE '!'",
            "$$a;b$$",
            "$a$ $b$ $$ ' $a$",
            "$a_$ x $a_$",
            "$_1$;$_1$",
            "$a$$a$",
            "$1",
            "a$b$c",
            "$\u00a0$x$\u00a0$",
            "1$$x$$",
            "\"a\"\"b\"",
            "\"A;\"",
            "a",
            "aAä",
            "\u00a0",
            "a\u2028b",
            "\uD83D\uDE00",
            "1+-2",
            "1 *-2",
            "2^-1",
            "@-3",
            "1<-2",
            "1<>-2",
            "1!=2",
            "2>=1",
            "1--2",
            "4/2",
            "4*/*c*/2",
            "|/4",
            "1+/* ' */1",
            "'a'||'b'",
            "'{}'::jsonb",
            "1::int",
            "a.b",
            "a.*",
            "1..2",
            "array[1,2][1:2]",
            "'a'=>'b'",
            "x:=1",
            "1+ +1",
            "1<->2",
            "'[1]'::jsonb@>'1'",
            "~-1",
            "-+1",
            "1 %- 2",
            "1=-1",
            "1=+-1",
            "`",
            "{",
            "}",
            "\\",
            "\u0001",
            "$",
            "f('a',b=>1)");
    private static final List<String> BLANKS = List.of(
            " ",
            "\n",
            "\r",
            "\t",
            "\f",
            "\u000b",
            "",
            "/**/",
            "/* /* ' */ */",
            "--\n",
            "-- ' ; \r",
            "-- \u0085\n",
            "/*/ */",
            "/*;*/",
            "\u00a0",
            "/* */*/",
            " /* $$ */ ",
            "--/*\r\n",
            "\u2028",
            "/*--*/",
            "/***/");
    private static final List<String> BETWEEN =
            List.of(",", ",", " as x,", " y,", "+", " ", "", ";select ", ";", " limit ", "||");

    /** Older releases take a vertical tab for no blank, and cut these numbers into a number and a name. */
    private static final Pattern SINCE_16 = Pattern.compile("\u000b|0[xbo]|\\d_");

    @Test
    void randomTexts() throws SQLException {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        Random random = new Random(seed);
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        try (Connection connection = DriverManager.getConnection(
                database.url() + (database.url().contains("?") ? "&" : "?") + "preferQueryMode=simple",
                database.server().username(),
                database.server().password())) {
            boolean since16 = connection.getMetaData().getDatabaseMajorVersion() >= 16;
            int compared = 0;
            for (int i = 0; i < TEXTS; i++) {
                String sql = text(random);
                if (!since16 && SINCE_16.matcher(sql).find()) {
                    continue;
                }
                compared += compare(connection, sql, "text " + i + " of seed " + seed + ": <" + sql + ">") ? 1 : 0;
            }
            assertThat(compared).as("texts that were not refused").isGreaterThan(TEXTS / 8);
        } finally {
            database.drop();
        }
    }

    private static String text(Random random) {
        StringBuilder sql = new StringBuilder("select");
        sql.append(pick(random, BLANKS)).append(' ');
        int parts = 1 + random.nextInt(4);
        for (int i = 0; i < parts; i++) {
            sql.append(pick(random, EXPRESSIONS)).append(random.nextBoolean() ? pick(random, BLANKS) : "");
            sql.append(i + 1 < parts ? pick(random, BETWEEN) : "");
        }
        return sql.toString();
    }

    private static String pick(Random random, List<String> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** False if the text is refused. */
    private static boolean compare(Connection connection, String sql, String what) throws SQLException {
        SqlText text;
        try {
            text = new SqlText(sql);
        } catch (UnsupportedStatementException e) {
            return false;
        }
        List<Integer> counts = statements(text);
        List<NativeQuery> seen = Parser.parseJdbcSql(sql, true, true, true, false, false);
        assertThat(seen.stream().filter(q -> !q.nativeSql.isBlank()).count())
                .as("statements that the driver sees in %s", what)
                .isIn((long) counts.size(), (long) Math.max(1, counts.size()));
        String separate = IntStream.range(0, text.size()).mapToObj(text::raw).collect(Collectors.joining(" /**/ "));
        List<String> original = outcome(connection, sql);
        String first = original.get(0);
        if (first.contains("trailing junk")
                || first.contains(" integer at or near")) { // newer servers refuse what older ones cut
            return true;
        }
        assertThat(outcome(connection, separate)).as(what + " as " + separate).isEqualTo(original);
        if (!first.startsWith("error")) {
            assertThat(original).as("results of %s", what).hasSize(counts.size());
        }
        return true;
    }

    /** How many tokens each statement has. */
    private static List<Integer> statements(SqlText text) {
        List<Integer> counts = new ArrayList<>();
        int tokens = 0;
        for (int i = 0; i <= text.size(); i++) {
            if (i == text.size() || text.is(i, ";")) {
                if (tokens > 0) {
                    counts.add(tokens);
                }
                tokens = 0;
            } else {
                tokens++;
            }
        }
        return counts;
    }

    /** Each result with its columns' names; or the error, which names the token at which it is. */
    private static List<String> outcome(Connection connection, String sql) throws SQLException {
        List<String> results = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            boolean more = statement.execute(sql);
            while (more) {
                StringBuilder result = new StringBuilder();
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                            result.append(rows.getMetaData().getColumnLabel(i))
                                    .append('=')
                                    .append(rows.getString(i));
                        }
                    }
                }
                results.add(result.toString());
                more = statement.getMoreResults();
            }
        } catch (SQLException e) {
            return List.of("error " + e.getSQLState() + " "
                    + String.valueOf(e.getMessage()).replaceAll("(?s)\n.*", "").replace(" /**/ ", " "));
        }
        return results;
    }
}
