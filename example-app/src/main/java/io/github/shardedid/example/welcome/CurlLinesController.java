package io.github.shardedid.example.welcome;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Returns the shell commands, with the base URL of the request. */
@RestController
class CurlLinesController {
    private final CurlLines lines;

    CurlLinesController(CurlLines lines) {
        this.lines = lines;
    }

    @GetMapping(path = "/curl-lines", produces = MediaType.TEXT_PLAIN_VALUE + ";charset=UTF-8")
    String lines() {
        return lines.at(ServletUriComponentsBuilder.fromCurrentContextPath().toUriString());
    }
}
