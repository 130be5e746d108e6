package io.github.shardedid.attack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** How long to attack, by system properties, and where the workers write. */
final class AttackSettings {
    private static final long MINUTES = Long.getLong("sharded-id.test.attack-minutes", 10);

    private AttackSettings() {}

    /** Seconds by default; {@code -Dsharded-id.test.longer=true} makes it {@code sharded-id.test.attack-minutes}. */
    static Duration duration(int seconds) {
        return Boolean.getBoolean("sharded-id.test.longer") ? Duration.ofMinutes(MINUTES) : Duration.ofSeconds(seconds);
    }

    static long seed() {
        long seed = Long.getLong("sharded-id.test.seed", System.nanoTime());
        System.err.println("seed " + seed);
        return seed;
    }

    /** The system properties of attacks, which workers have, too. */
    static Map<String, String> properties() {
        Map<String, String> properties = new TreeMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith("sharded-id.test.attack-")) {
                properties.put(name, System.getProperty(name));
            }
        }
        return properties;
    }

    static Path directoryIn(Path parent) {
        try {
            return Files.createTempDirectory(parent, "attack");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
