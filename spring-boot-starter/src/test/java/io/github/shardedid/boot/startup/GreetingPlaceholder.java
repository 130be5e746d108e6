package io.github.shardedid.boot.startup;

import io.github.shardedid.provisioning.FlywayCustomizer;
import java.util.Map;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Sets Flyway up with what it gets injected. */
@Component
@ConditionalOnProperty("greeting.word")
class GreetingPlaceholder implements FlywayCustomizer {
    static final String CREATED = "A Flyway customizer was created";

    private final String word;

    @Autowired
    private @Nullable Environment environment;

    GreetingPlaceholder(@Value("${greeting.word}") String word) {
        this.word = word;
        System.out.println(CREATED);
    }

    @Override
    public void customize(FluentConfiguration configuration) {
        String space = java.util.Objects.requireNonNull(environment).getProperty("greeting.space", "");
        configuration.placeholders(Map.of("greeting", word + space));
    }
}
