package io.github.shardedid.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** The reference is what the metadata say; {@code -Dsharded-id.test.write-reference=true} writes it. */
class ConfigurationReferenceTests {
    private static final String WRITE = "sharded-id.test.write-reference";

    private final ConfigurationReference reference = new ConfigurationReference();

    ConfigurationReferenceTests() throws IOException {}

    @Test
    void theReferenceIsWrittenFromTheMetadata() throws IOException {
        String page = Files.readString(ConfigurationReference.PAGE);
        int begin = page.indexOf(ConfigurationReference.BEGIN) + ConfigurationReference.BEGIN.length();
        int end = page.indexOf(ConfigurationReference.END);
        assertThat(begin).isBetween(ConfigurationReference.BEGIN.length(), end);
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(
                    ConfigurationReference.PAGE, page.substring(0, begin) + reference.text() + page.substring(end));
            return;
        }
        assertThat(page.substring(begin, end))
                .as("the tables of docs/configuration.md; write them anew with: ./mvnw test -pl spring-boot-starter -am"
                        + " -Dtest=ConfigurationReferenceTests -Dsurefire.failIfNoSpecifiedTests=false -D"
                        + WRITE + "=true")
                .isEqualTo(reference.text());
    }

    @Test
    void whatIsSaidMoreIsSaidOfAPropertyThatThereIs() {
        assertThat(reference.properties()).hasSizeGreaterThan(40);
        assertThat(reference.properties().keySet())
                .containsAll(reference.links().keySet());
    }
}
