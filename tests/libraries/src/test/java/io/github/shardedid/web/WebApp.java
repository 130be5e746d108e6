package io.github.shardedid.web;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.rest.webmvc.config.RepositoryRestConfigurer;

@SpringBootApplication
class WebApp {
    @Bean
    static RepositoryRestConfigurer idsOfArticles() {
        return RepositoryRestConfigurer.withConfig(config -> config.exposeIdsFor(Article.class));
    }
}
