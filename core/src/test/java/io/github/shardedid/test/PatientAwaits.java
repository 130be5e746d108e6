package io.github.shardedid.test;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a test waits for comes in a moment on most machines, and in minutes at most on one that has much else to do.
 * Registered for all tests in {@code META-INF/services}.
 */
public final class PatientAwaits implements BeforeAllCallback {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(PATIENCE);
    }
}
