package io.github.shardedid.boot.units;

import jakarta.persistence.EntityManagerFactory;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jpa.EntityManagerFactoryBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;

/** The properties {@code legacy.*} tell the old database, and the package that its persistence unit scans. */
@SpringBootApplication
@EnableJpaRepositories(excludeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = LegacyParcels.class))
public class UnitsApp {
    @Configuration(proxyBeanMethods = false)
    @EnableJpaRepositories(
            excludeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = ParcelRepository.class),
            entityManagerFactoryRef = "legacyFactory",
            transactionManagerRef = "legacyTransactions")
    static class Legacy {
        @Bean(defaultCandidate = false)
        DataSource legacy(
                @Value("${legacy.url}") String url,
                @Value("${legacy.username}") String user,
                @Value("${legacy.password}") String password) {
            return new DriverManagerDataSource(url, user, password);
        }

        @Bean(defaultCandidate = false)
        LocalContainerEntityManagerFactoryBean legacyFactory(
                EntityManagerFactoryBuilder builder,
                @Qualifier("legacy") DataSource legacy,
                @Value("${legacy.packages:io.github.shardedid.boot.units}") String packages) {
            return builder.dataSource(legacy)
                    .packages(packages)
                    .persistenceUnit("legacy")
                    .build();
        }

        @Bean(defaultCandidate = false)
        JpaTransactionManager legacyTransactions(@Qualifier("legacyFactory") EntityManagerFactory legacy) {
            return new JpaTransactionManager(legacy);
        }
    }
}
