package io.github.shardedid.example.welcome;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** The shell commands in the file {@code curl-lines.txt}, for the log, the operations page and the tests. */
@RestController
class CurlLines {
    private static final String WRITTEN_BASE = "http://localhost:8080";

    private final String lines;

    CurlLines() {
        try {
            lines = new ClassPathResource("curl-lines.txt").getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("curl-lines.txt is missing in the application's jar", e);
        }
    }

    /** Returns the commands for a base URL without a trailing slash. */
    String at(String baseUrl) {
        return lines.replace(WRITTEN_BASE, baseUrl);
    }

    /** Returns the commands for the base URL of the request. */
    @GetMapping(path = "/curl-lines", produces = MediaType.TEXT_PLAIN_VALUE + ";charset=UTF-8")
    String lines() {
        return at(ServletUriComponentsBuilder.fromCurrentContextPath().toUriString());
    }
}
