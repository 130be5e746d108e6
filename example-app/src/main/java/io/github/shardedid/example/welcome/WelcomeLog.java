package io.github.shardedid.example.welcome;

import io.github.shardedid.example.shards.ShardsController;
import io.github.shardedid.example.shards.ShardsView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Logs the databases, the address of the pages, and the shell commands after the start. */
@Component
class WelcomeLog {
    private static final Logger LOG = LoggerFactory.getLogger(WelcomeLog.class);

    private final ShardsController shards;
    private final CurlLines lines;
    private final Environment environment;

    WelcomeLog(ShardsController shards, CurlLines lines, Environment environment) {
        this.shards = shards;
        this.lines = lines;
        this.environment = environment;
    }

    @EventListener(ApplicationReadyEvent.class)
    void welcome() {
        String baseUrl = "http://localhost:" + environment.getProperty("local.server.port", "8080");
        ShardsView map = shards.shards();
        StringBuilder text = new StringBuilder();
        text.append("Photo sharing on ").append(map.shards()).append(" shards:\n\n");
        map.databases()
                .forEach(database -> text.append(
                        "  %-8s %-32s shards %s%n".formatted(database.name(), database.address(), database.ranges())));
        if (!map.unowned().isEmpty()) {
            text.append("  (shards without a reachable database: ")
                    .append(map.unowned())
                    .append(")\n");
        }
        text.append("\nOpen ").append(baseUrl).append("/ in a browser, or try in a shell:\n\n");
        text.append(lines.at(baseUrl).strip());
        LOG.info("{}\n", text);
    }
}
