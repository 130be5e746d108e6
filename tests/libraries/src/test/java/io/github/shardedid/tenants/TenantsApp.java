package io.github.shardedid.tenants;

import java.sql.JDBCType;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.task.TaskDecorator;
import org.springframework.jdbc.datasource.ShardingKeyProvider;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.security.concurrent.DelegatingSecurityContextRunnable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Service;

/** The name of the user is the tenant. */
@SpringBootApplication
@EnableAsync
class TenantsApp {
    static final String NOBODY = "";

    static class PrincipalsTenant implements CurrentTenantIdentifierResolver<String> {
        @Override
        public String resolveCurrentTenantIdentifier() {
            Authentication user = SecurityContextHolder.getContext().getAuthentication();
            return user == null ? NOBODY : user.getName();
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return true;
        }

        @Override
        public boolean isRoot(String tenant) {
            return tenant.equals(NOBODY);
        }
    }

    @Bean
    HibernatePropertiesCustomizer tenants() {
        return properties ->
                properties.put(MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER, new PrincipalsTenant());
    }

    @Bean
    TaskDecorator principal() {
        return DelegatingSecurityContextRunnable::new;
    }

    /** The customer of the current request; null for work of another kind. */
    static final ThreadLocal<@Nullable String> CUSTOMER = new ThreadLocal<>();

    @Bean
    ShardingKeyProvider customers(@Lazy DataSource dataSource) {
        return () -> {
            String customer = CUSTOMER.get();
            return customer == null
                    ? null
                    : dataSource
                            .createShardingKeyBuilder()
                            .subkey(customer, JDBCType.VARCHAR)
                            .build();
        };
    }

    @Service
    static class Background {
        private final TicketRepository tickets;

        Background(TicketRepository tickets) {
            this.tickets = tickets;
        }

        @Async
        CompletableFuture<Long> count() {
            return CompletableFuture.completedFuture(tickets.count());
        }
    }
}
