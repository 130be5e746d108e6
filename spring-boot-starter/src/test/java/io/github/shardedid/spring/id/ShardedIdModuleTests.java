package io.github.shardedid.spring.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.shardedid.boot.app.Photo;
import io.github.shardedid.boot.app.User;
import io.github.shardedid.hibernate.ShardKey;
import io.github.shardedid.hibernate.ShardedId;
import io.github.shardedid.id.IdLayout;
import jakarta.persistence.Id;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.json.JsonMapper;

class ShardedIdModuleTests {
    private static final long ID = 241_294_492_511_762_325L;
    private static final String TEXT = IdLayout.DEFAULT.toText(ID);

    private final JsonMapper json = mapper(IdForm.DECIMAL);

    private static JsonMapper mapper(IdForm form) {
        return JsonMapper.builder()
                .addModule(new ShardedIdModule(new IdText(IdLayout.DEFAULT, form), IdLayout.DEFAULT, () -> 8192))
                .build();
    }

    record PhotoView(
            @IdOf(Photo.class) long id,
            @IdOf(User.class) @Nullable Long author,
            @IdOf List<Long> likedBy,
            @IdOf Set<Long> seenBy,
            @IdOf Optional<Long> cover,
            long likes) {}

    record Wanted(@IdOf(Photo.class) @Nullable Long id) {}

    record WantedPrimitive(@IdOf(Photo.class) long id) {}

    record Narrow(@IdOf int id) {}

    interface Projection {
        @IdOf(Photo.class)
        Long getId();
    }

    static class Follow {
        @ShardedId
        @Nullable
        public Long id;

        @ShardKey(references = User.class)
        @Nullable
        public Long followerId;

        @ShardKey
        public long bucket;
    }

    static class Setting {
        @Id
        public long id;
    }

    @Test
    void anEntitysIdIsText() {
        User user = new User("kevin");
        user.setId(ID);

        assertThat(json.writeValueAsString(user)).contains("\"id\":\"" + ID + "\"");
        assertThat(json.readValue("{\"id\":\"" + ID + "\"}", User.class).getId())
                .isEqualTo(ID);
    }

    @Test
    void aShardKeyIsTextIfItSaysWhoseIdItIs() {
        Follow follow = new Follow();
        follow.id = ID;
        follow.followerId = ID + 1;
        follow.bucket = 7;

        assertThat(json.writeValueAsString(follow))
                .contains("\"id\":\"" + ID + "\"", "\"followerId\":\"" + (ID + 1) + "\"", "\"bucket\":7");
    }

    @Test
    void aGlobalIdIsANumber() {
        assertThat(json.writeValueAsString(new Setting())).isEqualTo("{\"id\":0}");
    }

    @Test
    void whatIsAnnotatedIsTextAndReadBack() {
        PhotoView view = new PhotoView(ID, null, List.of(ID, 1L), Set.of(ID), Optional.of(ID), 3);

        String text = json.writeValueAsString(view);

        assertThat(json.readTree(text))
                .isEqualTo(json.readTree(
                        "{'id':'I','author':null,'likedBy':['I','1'],'seenBy':['I'],'cover':'I','likes':3}"
                                .replace('\'', '"')
                                .replace("I", Long.toString(ID))));
        assertThat(json.readValue(text, PhotoView.class))
                .usingRecursiveComparison()
                .isEqualTo(view);
    }

    @Test
    void aProjectionsIdIsText() {
        Projection projection = () -> ID;

        assertThat(json.writerFor(Projection.class).writeValueAsString(projection))
                .isEqualTo("{\"id\":\"" + ID + "\"}");
    }

    @Test
    void theShortTextFormIsWrittenIfItIsWanted() {
        assertThat(mapper(IdForm.SHORT_TEXT).writeValueAsString(new Wanted(ID))).isEqualTo("{\"id\":\"" + TEXT + "\"}");
    }

    @Test
    void numbersAndTextsAreRead() {
        assertThat(mapper(IdForm.SHORT_TEXT).readValue("{\"id\":\"" + TEXT + "\"}", Wanted.class))
                .isEqualTo(new Wanted(ID));
        for (IdForm form : new IdForm[] {IdForm.DECIMAL, IdForm.SHORT_TEXT}) {
            for (String value : List.of(Long.toString(ID), "\"" + ID + "\"")) {
                assertThat(mapper(form).readValue("{\"id\":" + value + "}", Wanted.class))
                        .isEqualTo(new Wanted(ID));
            }
            assertThat(mapper(form).readValue("{\"id\":1234567890}", Wanted.class))
                    .isEqualTo(new Wanted(1_234_567_890L));
            assertThat(mapper(form).readValue("{\"id\":null}", Wanted.class)).isEqualTo(new Wanted(null));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"kevin\"", "-1", "\"-1\"", "9223372036854775808"})
    void whatIsNoIdIsRefusedWithPropertyAndEntity(String value) {
        assertThatExceptionOfType(DatabindException.class)
                .isThrownBy(() ->
                        json.readValue("{\"id\":" + value + "}", Wanted.class).id())
                .withMessageContainingAll("no id of a Photo", "Wanted[\"id\"]")
                .satisfies(e -> assertThat(e.getPath()).hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "true", "{}", "[]"})
    void whatIsNeitherTextNorWholeNumberIsRefused(String value) {
        assertThatExceptionOfType(DatabindException.class)
                .isThrownBy(() -> json.readValue("{\"id\":" + value + "}", Wanted.class))
                .withMessageContaining("Wanted[\"id\"]");
    }

    @Test
    void nullIsNoIdOfAPrimitiveAndAnIntMustBeWideEnough() {
        assertThatExceptionOfType(DatabindException.class)
                .isThrownBy(() -> json.readValue("{\"id\":null}", WantedPrimitive.class))
                .withMessageContaining("null is no id");
        assertThatExceptionOfType(DatabindException.class)
                .isThrownBy(() -> json.readValue("{\"id\":\"" + ID + "\"}", Narrow.class))
                .withMessageContaining("does not fit into an int");
        assertThat(json.readValue("{\"id\":\"7\"}", Narrow.class)).isEqualTo(new Narrow(7));
    }

    record Seen(@IdOf List<@Nullable Long> ids, @IdOf Map<Long, Integer> counts) {}

    @ParameterizedTest
    @ValueSource(strings = {"undefined", "null", "NaN", "", " ", "-1", "+5", "1.5", "\u0665"})
    void whatIsNoIdIsRefusedAsValueAndAsKeyInEveryForm(String text) {
        for (IdForm form : IdForm.values()) {
            JsonMapper mapper = mapper(form);
            assertThatExceptionOfType(DatabindException.class)
                    .isThrownBy(() -> mapper.readValue("{\"id\":\"" + text + "\"}", Wanted.class));
            assertThatExceptionOfType(DatabindException.class)
                    .isThrownBy(() -> mapper.readValue("{\"counts\":{\"" + text + "\":1}}", Seen.class));
            assertThatExceptionOfType(DatabindException.class)
                    .isThrownBy(() -> mapper.readValue("{\"ids\":[\"" + text + "\"]}", Seen.class));
        }
    }
}
