package io.github.shardedid.example.welcome;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Hands the lines to the page, with the address under which the page was reached. */
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
