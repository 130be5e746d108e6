package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import org.hibernate.engine.jdbc.internal.JdbcServicesImpl;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.sql.exec.spi.JdbcMutationExecutor;
import org.hibernate.sql.exec.spi.JdbcSelectExecutor;
import org.jspecify.annotations.Nullable;

/** Hibernate's own services, with executors that route statements by their parameters. */
public final class RoutedJdbcServices extends JdbcServicesImpl {
    private final QueryTargets targets;
    private final JdbcSelectExecutor executor;
    private final JdbcMutationExecutor mutations;
    private final Sharding sharding;
    private final JdbcSelectExecutor auditSelects;

    public RoutedJdbcServices(Sharding sharding) {
        NativeTargets byText = new NativeTargets(sharding);
        this.sharding = sharding;
        this.targets = new QueryTargets(byText);
        this.mutations = new RoutedMutationExecutor(targets, byText);
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

    @Override
    public JdbcMutationExecutor getJdbcMutationExecutor() {
        return mutations;
    }
}
