package io.github.shardedid.spring.id;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.boot.app.Photo;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.MalformedIdException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.convert.ConversionFailedException;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.format.support.DefaultFormattingConversionService;

class IdConverterTests {
    private static final long ID = 241_294_492_511_762_325L;
    private static final String TEXT = IdLayout.DEFAULT.toText(ID);
    private static final TypeDescriptor STRING = TypeDescriptor.valueOf(String.class);

    private final DefaultFormattingConversionService conversion = new DefaultFormattingConversionService();

    IdConverterTests() {
        conversion.addConverter(new IdConverter(new IdText(IdLayout.DEFAULT, IdForm.SHORT_TEXT)));
    }

    @SuppressWarnings("unused") // described by reflection
    private static final class Form {
        @IdOf(Photo.class)
        @Nullable
        Long boxed;

        @IdOf(Photo.class)
        long primitive;

        @IdOf
        List<Long> several = List.of();

        long plain;
    }

    private static TypeDescriptor property(String name) throws NoSuchFieldException {
        return new TypeDescriptor(Form.class.getDeclaredField(name));
    }

    private @Nullable Object read(@Nullable String text, String property) throws NoSuchFieldException {
        return conversion.convert(text, STRING, property(property));
    }

    @Test
    void anIdIsReadInEitherForm() throws NoSuchFieldException {
        assertThat(read(TEXT, "boxed")).isEqualTo(ID);
        assertThat(read(Long.toString(ID), "boxed")).isEqualTo(ID);
        assertThat(read(TEXT, "primitive")).isEqualTo(ID);
        assertThat(read(TEXT + "," + ID, "several")).isEqualTo(List.of(ID, ID));
        assertThat(read("", "boxed")).isNull();
    }

    @Test
    void anIdIsWrittenInTheFormThatIsWanted() throws NoSuchFieldException {
        assertThat(conversion.convert(ID, property("boxed"), STRING)).isEqualTo(TEXT);
        assertThat(conversion.convert(ID, property("primitive"), STRING)).isEqualTo(TEXT);
    }

    @Test
    void otherNumbersAreLeftAlone() throws NoSuchFieldException {
        assertThat(read("42", "plain")).isEqualTo(42L);
        assertThat(conversion.convert(42L, property("plain"), STRING)).isEqualTo("42");
        assertThatExceptionOfType(ConversionFailedException.class)
                .isThrownBy(() -> read(TEXT, "plain"))
                .withCauseInstanceOf(NumberFormatException.class);
    }

    @Test
    void whatIsNoIdIsRefused() {
        assertThatExceptionOfType(ConversionFailedException.class)
                .isThrownBy(() -> read("no id", "boxed"))
                .satisfies(e -> assertThat(requireNonNull(e.getCause()))
                        .isInstanceOf(MalformedIdException.class)
                        .hasMessageContainingAll("\"no id\"", "no id of a Photo"));
    }
}
