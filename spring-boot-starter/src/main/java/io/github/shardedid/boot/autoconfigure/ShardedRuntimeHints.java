package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.generator.LeaseListener;
import io.github.shardedid.move.MoveListener;
import java.sql.CallableStatement;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;

/** Hints for native images: proxies of JDBC interfaces, classes that Hibernate instantiates, and the SQL of provisioning and moves. */
final class ShardedRuntimeHints implements RuntimeHintsRegistrar {
    private static final List<Class<?>> FACADES = List.of(
            Statement.class, PreparedStatement.class, CallableStatement.class, ResultSet.class, DatabaseMetaData.class);

    /** Classes below the package {@code hibernate.internal} of core. */
    private static final List<String> CREATED_BY_HIBERNATE = List.of(
            "persister.RoutedSingleTablePersister",
            "persister.RoutedJoinedPersister",
            "persister.RoutedUnionPersister",
            "persister.RoutedOneToManyPersister",
            "persister.RoutedBasicCollectionPersister",
            "routing.ShardedIdGenerator",
            "guards.GuardedTranslatorFactory",
            "mapping.ForeignShardBinder",
            "mapping.RowReference");

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        for (Class<?> facade : FACADES) {
            hints.proxies().registerJdkProxy(facade);
            hints.reflection().registerType(facade, MemberCategory.INVOKE_PUBLIC_METHODS);
        }
        hints.proxies().registerJdkProxy(LeaseListener.class).registerJdkProxy(MoveListener.class);
        for (String name : CREATED_BY_HIBERNATE) {
            hints.reflection()
                    .registerType(
                            TypeReference.of("io.github.shardedid.hibernate.internal." + name),
                            MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
        }
        // Has no accessors for its named queries.
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.data.repository.core.support.RepositoryFactorySupport",
                        MemberCategory.ACCESS_DECLARED_FIELDS);
        hints.resources()
                .registerPattern("io/github/shardedid/provisioning/*.sql")
                .registerPattern("io/github/shardedid/operations/internal/*.sql");
    }
}
