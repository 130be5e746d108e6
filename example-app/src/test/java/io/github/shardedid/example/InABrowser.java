package io.github.shardedid.example;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** One browser for the tests of a class, whose console has to stay empty. */
@Tag("browser")
@Tag("embedded-only")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InABrowser {
    private @Nullable Browser browser;

    @BeforeAll
    void open() {
        browser = Browser.open();
    }

    @AfterEach
    void theConsoleIsEmpty() {
        browser().assertQuiet();
    }

    @AfterAll
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    Browser browser() {
        return Objects.requireNonNull(browser, "no browser, no test");
    }
}
