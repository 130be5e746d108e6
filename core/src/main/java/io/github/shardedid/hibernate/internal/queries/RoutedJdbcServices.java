package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import org.hibernate.engine.jdbc.internal.JdbcServicesImpl;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.sql.exec.spi.JdbcSelectExecutor;
import org.jspecify.annotations.Nullable;

/** Hibernate's own services, with an executor that routes queries by their parameters. */
public final class RoutedJdbcServices extends JdbcServicesImpl {
    private final QueryTargets targets = new QueryTargets();
    private final JdbcSelectExecutor executor;
    private final Sharding sharding;
    private final JdbcSelectExecutor auditSelects;

    public RoutedJdbcServices(Sharding sharding) {
        this.sharding = sharding;
        this.executor = new RoutedSelectExecutor(targets, new OwnIdResults(sharding));
        this.auditSelects = new AuditSelects(sharding, executor);
    }

    /** The targets of a session factory's queries; null if its data source does not route. */
    public static @Nullable QueryTargets targets(SessionFactoryImplementor factory) {
        return factory.getJdbcServices() instanceof RoutedJdbcServices routed ? routed.targets : null;
    }

    @Override
    public JdbcSelectExecutor getJdbcSelectExecutor() {
        return sharding.mappings().auditTables().isEmpty() ? executor : auditSelects;
    }
}
