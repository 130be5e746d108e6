package io.github.shardedid.boot.events;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.domain.AuditorAware;
import org.springframework.data.jpa.repository.config.EnableJpaAuditing;
import org.springframework.scheduling.annotation.EnableAsync;

/** Code of the application that runs within the calls of its repositories. */
@SpringBootApplication
@EnableJpaAuditing
@EnableAsync
public class EventsApp {
    @Bean
    AuditorAware<String> auditor(Probe probe) {
        return () -> {
            probe.note("auditor");
            return java.util.Optional.of("somebody");
        };
    }
}
