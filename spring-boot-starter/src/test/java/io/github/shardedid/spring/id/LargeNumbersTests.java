package io.github.shardedid.spring.id;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import io.github.shardedid.id.DecodedId;
import io.github.shardedid.id.IdLayout;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(OutputCaptureExtension.class)
class LargeNumbersTests {
    private static final long ID = 241_294_492_511_762_325L;

    private static final int SHARDS = IdLayout.DEFAULT.shardOf(ID) + 1;

    private final JsonMapper json = JsonMapper.builder()
            .addModule(
                    new ShardedIdModule(new IdText(IdLayout.DEFAULT, IdForm.DECIMAL), IdLayout.DEFAULT, () -> SHARDS))
            .build();

    record Forgotten(long id, Long authorId) {}

    record Listed(List<Long> ids, Map<String, Long> byName) {}

    record Marked(
            @IdOf long id,
            @JsonFormat(shape = Shape.STRING) long text,
            @JsonFormat(shape = Shape.NUMBER_INT) Long intended) {}

    @Test
    void anIdThatIsWrittenAsANumberIsLoggedOnceForEachProperty(CapturedOutput output) {
        assertThat(json.writeValueAsString(new Forgotten(ID, ID)))
                .isEqualTo("{\"id\":" + ID + ",\"authorId\":" + ID + "}");
        json.writeValueAsString(new Forgotten(ID, ID));

        assertThat(output.getOut())
                .containsOnlyOnce("Forgotten.id was written to JSON as the number " + ID)
                .containsOnlyOnce("Forgotten.authorId was written")
                .contains("@IdOf");
    }

    @Test
    void soAreThoseInListsAndMaps(CapturedOutput output) {
        assertThat(json.writeValueAsString(new Listed(List.of(ID), Map.of("a", ID))))
                .isEqualTo("{\"ids\":[" + ID + "],\"byName\":{\"a\":" + ID + "}}");

        assertThat(output.getOut()).contains("Listed.ids was written").contains("Listed.byName was written");
    }

    @Test
    void numbersThatTheClusterCannotHaveGeneratedAreNot(CapturedOutput output) {
        DecodedId id = IdLayout.DEFAULT.decode(ID);
        long now = IdLayout.DEFAULT.timestampOf(Instant.now());
        for (long other : List.of(
                IdLayout.DEFAULT.encode(now, SHARDS, id.sequence()),
                IdLayout.DEFAULT.encode(now + 3_600_000, id.shard(), id.sequence()),
                -ID,
                Long.MAX_VALUE)) {
            assertThat(json.writeValueAsString(new Forgotten(other, other))).contains(Long.toString(other));
        }

        assertThat(output.getOut()).doesNotContain("was written to JSON");
    }

    @Test
    void smallNumbersAndPropertiesThatSayWhatTheyAreAreNot(CapturedOutput output) {
        assertThat(json.writeValueAsString(new Forgotten((1L << 53) - 1, -1L))).contains("9007199254740991");
        assertThat(json.writeValueAsString(new Marked(ID, ID, ID)))
                .isEqualTo("{\"id\":\"" + ID + "\",\"text\":\"" + ID + "\",\"intended\":" + ID + "}");

        assertThat(output.getOut()).doesNotContain("was written to JSON");
    }
}
