package io.github.shardedid.boot.named;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.data.repository.query.QueryLookupStrategy;

/** Queries in a file, and repositories with another strategy to find queries. */
@SpringBootConfiguration
@EnableAutoConfiguration
@EntityScan(basePackageClasses = NamedApp.class)
@Import({NamedApp.FromFile.class, NamedApp.FromNames.class})
public class NamedApp {
    @Configuration
    @EnableJpaRepositories(
            namedQueriesLocation = "classpath:db/named/queries.properties",
            excludeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = CreatedNotes.class))
    static class FromFile {}

    @Configuration
    @EnableJpaRepositories(
            queryLookupStrategy = QueryLookupStrategy.Key.CREATE,
            excludeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Notes.class))
    static class FromNames {}
}
