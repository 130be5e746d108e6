package io.github.shardedid.extensions;

import com.zaxxer.hikari.util.DriverDataSource;
import io.github.shardedid.boot.autoconfigure.ShardedPoolCustomizer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.resilience.annotation.EnableResilientMethods;

@SpringBootApplication
@EnableResilientMethods
class ExtensionsApp {
    static final Queue<String> PROXIED = new ConcurrentLinkedQueue<>();

    /** The connections of pg1 are those of datasource-proxy; the URL of pg2 is that of p6spy. */
    @Bean
    static ShardedPoolCustomizer loggedStatements() {
        return (database, pool) -> {
            if (database.equals("pg1")) {
                pool.setDataSource(ProxyDataSourceBuilder.create(new DriverDataSource(
                                pool.getJdbcUrl(),
                                null,
                                pool.getDataSourceProperties(),
                                pool.getUsername(),
                                pool.getPassword()))
                        .afterQuery((execution, queries) -> queries.forEach(query -> PROXIED.add(query.getQuery())))
                        .build());
            }
        };
    }
}
