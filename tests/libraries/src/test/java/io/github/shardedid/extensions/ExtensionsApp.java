package io.github.shardedid.extensions;

import com.blazebit.persistence.Criteria;
import com.blazebit.persistence.CriteriaBuilderFactory;
import com.zaxxer.hikari.util.DriverDataSource;
import io.github.shardedid.boot.autoconfigure.ShardedPoolCustomizer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import jakarta.persistence.EntityManagerFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.ttddyy.dsproxy.support.ProxyDataSourceBuilder;
import net.ttddyy.observation.tracing.QueryContext;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.resilience.annotation.EnableResilientMethods;

@SpringBootApplication
@EnableResilientMethods
class ExtensionsApp {
    static final Queue<String> PROXIED = new ConcurrentLinkedQueue<>();
    static final Queue<String> OBSERVED = new ConcurrentLinkedQueue<>();

    @Bean
    CriteriaBuilderFactory criteria(EntityManagerFactory factory) {
        return Criteria.getDefault().createCriteriaBuilderFactory(factory);
    }

    @Bean
    static ObservationHandler<QueryContext> observedQueries() {
        return new ObservationHandler<>() {
            @Override
            public void onStop(QueryContext context) {
                OBSERVED.add(String.valueOf(context.getAllKeyValues()));
            }

            @Override
            public boolean supportsContext(Observation.Context context) {
                return context instanceof QueryContext;
            }
        };
    }

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
