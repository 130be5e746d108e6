package io.github.shardedid.boot.test.internal.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a killed JVM leaves behind does not stay for ever. */
class DataDirectoryTests {
    @Test
    void whatAJvmThatIsNoMoreHasLeftIsRemoved() throws IOException, InterruptedException {
        Process gone = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-version")
                .start();
        gone.waitFor();
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        Path left = Files.createDirectories(
                temporary.resolve("sharded-id-test-" + gone.pid() + "-left").resolve("data"));
        Path noServer = Files.createDirectories(temporary.resolve("sharded-id-test-of-somebody"));

        DataDirectory first = DataDirectory.create();
        DataDirectory second = DataDirectory.create();

        assertThat(left.getParent()).doesNotExist();
        assertThat(noServer).isDirectory();
        assertThat(first.path()).isDirectory();
        first.remove();
        second.remove();
        Files.delete(noServer);
        assertThat(first.path()).doesNotExist();
    }
}
