package io.github.shardedid.spring.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.boot.app.Photo;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.id.TimestampUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdTextTests {
    private static final long ID = 241_294_492_511_762_325L;

    private final IdText decimal = new IdText(IdLayout.DEFAULT, IdForm.DECIMAL);
    private final IdText shortText = new IdText(IdLayout.DEFAULT, IdForm.SHORT_TEXT);

    @Test
    void writesTheFormThatIsWantedAndReadsBoth() {
        String text = IdLayout.DEFAULT.toText(ID);

        assertThat(decimal.print(ID)).isEqualTo("241294492511762325");
        assertThat(shortText.print(ID)).isEqualTo(text);
        for (IdText ids : new IdText[] {decimal, shortText}) {
            assertThat(ids.parse("241294492511762325")).isEqualTo(ID);
            assertThat(ids.parse(text)).isEqualTo(ID);
        }
    }

    @Test
    void digitsThatCouldBeEitherAreInTheFormThatIsWritten() {
        String digits = "1234567890";

        assertThat(decimal.parse(digits)).isEqualTo(1_234_567_890L);
        assertThat(shortText.parse(digits)).isEqualTo(IdLayout.DEFAULT.fromText(digits));
        assertThat(shortText.parseDecimal(digits, void.class)).isEqualTo(1_234_567_890L);
    }

    @Test
    void aWordIsNoIdWhereDecimalNumbersAreWritten() {
        assertThat(decimal.parse("kevin")).isEqualTo(IdLayout.DEFAULT.fromText("kevin"));
        assertThat(shortText.parsePrinted("kevin", Photo.class)).isEqualTo(IdLayout.DEFAULT.fromText("kevin"));
        assertThatExceptionOfType(MalformedIdException.class)
                .isThrownBy(() -> decimal.parsePrinted("kevin", Photo.class))
                .withMessageContainingAll("\"kevin\" is no id of a Photo", "whole number")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("short text"));
    }

    @Test
    void everyFormIsReadBackAtTheEdges() {
        for (long id : new long[] {0, 1, 63, 64, ID, Long.MAX_VALUE}) {
            assertThat(decimal.parse(decimal.print(id))).isEqualTo(id);
            assertThat(shortText.parse(shortText.print(id))).isEqualTo(id);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-1", "9223372036854775808", "12.5", "a b", "2.4129449251176234E17", "Ä"})
    void whatIsNoIdIsRefusedWithWhatWouldBeOne(String text) {
        assertThatExceptionOfType(MalformedIdException.class)
                .isThrownBy(() -> decimal.parse(text, Photo.class))
                .withMessageContainingAll(text, "no id of a Photo", "0 to 9223372036854775807", "short text form");
    }

    @Test
    void aLongTextIsNotRepeatedAsAWhole() {
        assertThatExceptionOfType(MalformedIdException.class)
                .isThrownBy(() -> decimal.parse("?".repeat(100_000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
    }

    @Test
    void theRangeIsThatOfTheLayout() {
        IdLayout narrow = new IdLayout(IdLayout.PUBLISHED_EPOCH, TimestampUnit.SECONDS, 25, 2, 5, 0);

        assertThatExceptionOfType(MalformedIdException.class)
                .isThrownBy(() -> new IdText(narrow, IdForm.DECIMAL).parse("2147483648"))
                .withMessageContaining("0 to 2147483647");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "undefined",
                "Undefined",
                "null",
                "NULL",
                "NaN",
                "nan",
                "Infinity",
                "-Infinity",
                "true",
                "false",
                "None",
                "nil",
                "object",
                "[object Object]",
                "-1",
                "+5",
                "-0",
                "1.0",
                " 1",
                "\u0661\u0662",
                ""
            })
    void wordsAndOtherNumbersAreNoIds(String text) {
        for (IdForm form : IdForm.values()) {
            IdText ids = new IdText(IdLayout.DEFAULT, form);
            assertThatExceptionOfType(MalformedIdException.class).isThrownBy(() -> ids.parse(text));
            assertThatExceptionOfType(MalformedIdException.class).isThrownBy(() -> ids.parsePrinted(text, void.class));
            assertThatExceptionOfType(MalformedIdException.class).isThrownBy(() -> ids.parseDecimal(text, void.class));
        }
    }
}
