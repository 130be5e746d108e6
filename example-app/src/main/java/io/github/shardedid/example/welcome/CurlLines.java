package io.github.shardedid.example.welcome;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/**
 * Lines for a shell, which work as printed. The file {@code curl-lines.txt} is the one place where they are; the log, the
 * page and the test take them from there.
 */
@Component
class CurlLines {
    private static final String WRITTEN_BASE = "http://localhost:8080";

    private final String lines;

    CurlLines() {
        try {
            lines = new ClassPathResource("curl-lines.txt").getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("curl-lines.txt belongs into the application's jar", e);
        }
    }

    /** The lines for an application that is reached at a base URL without a slash at its end. */
    String at(String baseUrl) {
        return lines.replace(WRITTEN_BASE, baseUrl);
    }
}
