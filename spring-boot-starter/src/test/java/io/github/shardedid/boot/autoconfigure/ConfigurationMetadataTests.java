package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.WayOut;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.support.DefaultConversionService;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an IDE shows of the properties is complete, and is what the reference says. */
class ConfigurationMetadataTests {
    /** What has no value unless it is set, a thing that only the application can know. */
    private static final Set<String> WITHOUT_DEFAULT = Set.of(
            "sharded-id.common-schemas",
            "sharded-id.shards",
            "sharded-id.databases",
            "sharded-id.hikari",
            "sharded-id.flyway.placeholders",
            "sharded-id.global.database",
            "sharded-id.liquibase.change-log",
            "sharded-id.liquibase.global-change-log",
            "sharded-id.liquibase.contexts",
            "sharded-id.liquibase.label-filter",
            "sharded-id.liquibase.parameters",
            "sharded-id.provisioning.application-role",
            "sharded-id.provisioning.reader-role",
            "sharded-id.provisioning.mover-role");

    private static JsonNode metadata() throws IOException {
        return JsonMapper.shared()
                .readTree(Files.readString(Path.of("target/classes/META-INF/spring-configuration-metadata.json")));
    }

    private static Map<String, JsonNode> properties() throws IOException {
        Map<String, JsonNode> properties = new TreeMap<>();
        metadata()
                .get("properties")
                .forEach(each -> properties.put(each.get("name").asString(), each));
        properties.keySet().removeIf(name -> !name.startsWith("sharded-id."));
        return properties;
    }

    @Test
    void everyPropertyHasATypeAndADescription() throws IOException {
        assertThat(properties()).hasSizeGreaterThan(40).allSatisfy((name, property) -> {
            assertThat(property.get("type").asString()).isNotBlank();
            assertThat(property.path("description").asString(""))
                    .hasSizeGreaterThan(10)
                    .matches("(?s)[A-Z].*\\.");
        });
    }

    /** Each advice of the library, in the words of this starter. */
    @Test
    void messagesNamePropertiesThatExist() throws IOException {
        Set<String> known = properties().keySet();
        Properties words = new Properties();
        try (InputStream found = WayOut.class.getResourceAsStream(WayOut.WORDS)) {
            words.load(requireNonNull(found));
        }

        assertThat(words).hasSameSizeAs(WayOut.values());
        assertThat(WayOut.values()).allSatisfy(advice -> {
            String named = words.getProperty(advice.name());
            assertThat(advice.of("pg1", "pg2")).isEqualTo(named.formatted("pg1", "pg2"));
            assertThat(Pattern.compile("(?<!--)sharded-id(?:\\.[a-z-]+)+")
                            .matcher(named)
                            .results())
                    .allMatch(property -> known.contains(property.group()));
        });
    }

    @Test
    void everyPropertyThatHasADefaultSaysIt() throws IOException {
        assertThat(properties()).allSatisfy((name, property) -> assertThat(property.has("defaultValue"))
                .as("a default")
                .isEqualTo(!WITHOUT_DEFAULT.contains(name)));
    }

    /** Commands are no properties: the reference lists them by hand. */
    @Test
    void theReferenceNamesAllCommands() throws IOException {
        assertThat(Files.readString(Path.of("../docs/configuration.md"))
                        .lines()
                        .filter(line -> line.startsWith("| `--sharded-id."))
                        .map(line -> line.replaceFirst("\\| `--sharded-id\\.([a-z-]+).*", "$1")))
                .containsExactlyInAnyOrderElementsOf(PropertyCheck.COMMANDS);
    }

    /** Metadata do not say what is below the name of a database; the reference does. */
    @ParameterizedTest
    @ValueSource(
            classes = {
                ShardedIdProperties.Database.class,
                ShardedIdProperties.Replica.class,
                ShardedIdProperties.Replication.class
            })
    void theReferenceNamesWhatIsBelowADatabase(Class<?> record) throws IOException {
        String rows = Files.readString(Path.of("../docs/configuration.md"))
                .lines()
                .filter(line -> line.startsWith("| `sharded-id.databases.<name>."))
                .collect(Collectors.joining());

        assertThat(Stream.of(record.getRecordComponents())
                        .map(RecordComponent::getName)
                        .map(DataObjectPropertyName::toDashedForm))
                .allSatisfy(name -> assertThat(rows).containsPattern("\\." + name + "\\b"));
    }

    @Test
    void everyHintIsForAPropertyAndSaysWhatItsValuesMean() throws IOException {
        Map<String, JsonNode> properties = properties();
        assertThat(metadata().get("hints")).isNotEmpty().allSatisfy(hint -> {
            String name = hint.get("name").asString().replaceAll("\\.(keys|values)$", "");
            assertThat(properties).containsKey(name);
            hint.path("values")
                    .forEach(value ->
                            assertThat(value.path("description").asString("")).isNotBlank());
            assertThat(hint.has("values") || hint.has("providers")).isTrue();
        });
    }

    @Test
    void everyChoiceHasItsValuesAsHints() throws IOException {
        Map<String, JsonNode> hints = new TreeMap<>();
        metadata().get("hints").forEach(hint -> hints.put(hint.get("name").asString(), hint));

        properties().forEach((name, property) -> {
            Class<?> type = enumOf(property.get("type").asString());
            if (type != null) {
                List<Object> values = requireNonNull(hints.get(name), name)
                        .get("values")
                        .valueStream()
                        .<Object>map(value -> DefaultConversionService.getSharedInstance()
                                .convert(
                                        value.get("value")
                                                .asString()
                                                .toUpperCase(Locale.ROOT)
                                                .replace('-', '_'),
                                        type))
                        .toList();
                assertThat(values).as(name).containsExactlyInAnyOrder(type.getEnumConstants());
            }
        });
    }

    private static @Nullable Class<?> enumOf(String type) {
        try {
            Class<?> found = Class.forName(type);
            return found.isEnum() ? found : null;
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    @Test
    void everyNameIsInBootsCanonicalForm() throws IOException {
        assertThat(properties().keySet()).allSatisfy(name -> assertThat(ConfigurationPropertyName.isValid(name))
                .isTrue());
    }
}
