package io.github.shardedid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Knows where the project's files are. */
final class Project {
    /** Two directories above this module's, which Surefire passes; an IDE runs tests in it. */
    static final Path ROOT = Path.of(System.getProperty("basedir", ""))
            .toAbsolutePath()
            .resolve("../..")
            .normalize();

    private Project() {}

    /** Returns the directories of all modules that have one of the given name, such as {@code src/main/java}. */
    static List<Path> modulesWith(String directory) throws IOException {
        try (Stream<Path> modules = Files.walk(ROOT, 2)) {
            return modules.filter(module -> Files.exists(module.resolve("pom.xml")))
                    .map(module -> module.resolve(directory))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }
}
