package io.github.shardedid.routing.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.routing.UnsupportedStatementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTokenizerTests {
    private static String tokens(String sql) {
        SqlText text = new SqlText(sql);
        return String.join(
                "¦", IntStream.range(0, text.size()).mapToObj(text::raw).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "1. ORDER BY a | 1.¦ORDER¦BY¦a",
                "1.GROUP | 1.¦GROUP",
                "1.e5 .5 1..2 0x_fF 1_0.5e-1_0 1._5 | 1.e5¦.5¦1¦..¦2¦0x_fF¦1_0.5e-1_0¦1.¦_5",
                "a::int b:=c d=>e | a¦::¦int¦b¦:=¦c¦d¦=>¦e",
                "1+-2*-?@-3 | 1¦+¦-¦2¦*¦-¦?¦@-¦3",
                "a ?? b=??? | a¦??¦b¦=??¦?",
                "4*/*c*/2+--x | 4¦*¦2¦+",
                "a$b$c $1 $a1$;$a1$ | a$b$c¦$1¦$a1$;$a1$",
                "B'1' x'f' n'a' E'\\'' u&'a' | B'1'¦x'f'¦n'a'¦E'\\''¦u&'a'",
            })
    void tokensOf(String sql, String tokens) {
        assertThat(tokens(sql)).isEqualTo(tokens);
    }

    @Test
    void linesEndAtACarriageReturnAndUnicodeSpacesArePartsOfWords() {
        assertThat(tokens("a -- x\r; b -- y\n c\u000bd \u00a0 \u2028e")).isEqualTo("a¦;¦b¦c¦d¦\u00a0¦\u2028e");
    }

    @Test
    void lettersThatJavaFoldsToAsciiAreNoKeywords() {
        SqlText text = new SqlText("\u017felect lım\u0131t \u212aey select");
        assertThat(IntStream.range(0, 4).mapToObj(text::at)).endsWith("SELECT").doesNotContain("LIMIT", "KEY");
        assertThat(text.is(0, "SELECT")).isFalse();
        assertThat(new SqlText("ÄBC").folded(0)).isEqualTo("Äbc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 'a",
                "select E'\\'",
                "select \"a",
                "select $a$ $b$",
                "/* /* */",
                "select 1 --\r\n /*",
                "select $",
                "select a?",
                "select 1?",
                "select ?a",
                "select ?1",
                "select $?$",
                "select 'a'E'\\''",
                "select E'a'\n'\\''",
                "select 1$$a$$",
                "select $\u00a0$a$\u00a0$",
                "select \u00a0$$a$$",
                "select U&\"a\"",
                "select u&\"!0061\" uescape '!'",
                "select 'a'\n'b'",
                "select E'a' -- c\r 'b'",
                "select $ä$a$ä$",
            })
    void whatCannotBeReadOrIsReadDifferentlyByTheDriverIsRefused(String sql) {
        assertThatExceptionOfType(UnsupportedStatementException.class)
                .isThrownBy(() -> SqlAnalysis.of(sql))
                .withMessageContaining("cannot be read")
                .withMessageContaining("Nothing was sent");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from t where a > 1. for share",
                "select * from t where a > 1. FOR no key update",
                "select * from t where a > 1.for update",
            })
    void aLockBehindANumberIsSeen(String sql) {
        assertThat(SqlAnalysis.of(sql).locks()).isTrue();
    }

    @Test
    void writesAndTransactionEndsBehindAnyLineEndAreSeen() {
        assertThat(SqlAnalysis.of("select 1 -- x\r; delete from t").writes()).isTrue();
        assertThat(SqlAnalysis.of("select 1 -- x\r; commit").endsTransaction()).isTrue();
    }
}
