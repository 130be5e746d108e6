package io.github.shardedid.hibernate.internal.guards;

import io.github.shardedid.hibernate.internal.queries.ChangedRows;
import io.github.shardedid.hibernate.internal.queries.EntityShardRules;
import io.github.shardedid.hibernate.internal.queries.ForeignPaths;
import io.github.shardedid.hibernate.internal.queries.RoutedJdbcServices;
import io.github.shardedid.hibernate.internal.queries.RoutedSelect;
import java.util.Optional;
import org.hibernate.engine.spi.LoadQueryInfluencers;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.spi.QueryOptions;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslation;
import org.hibernate.query.sqm.sql.SqmTranslator;
import org.hibernate.query.sqm.sql.StandardSqmTranslatorFactory;
import org.hibernate.query.sqm.sql.internal.StandardSqmTranslator;
import org.hibernate.query.sqm.tree.SqmDmlStatement;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.sql.ast.spi.SqlAstCreationContext;
import org.hibernate.sql.ast.tree.MutationStatement;
import org.hibernate.sql.ast.tree.select.SelectStatement;

/**
 * Checks each HQL or criteria statement that reads, or changes one table, when it is translated to SQL. Hibernate creates it. A
 * translator of an application extends it, and calls its methods.
 *
 * <p>The translator is the last class that sees Hibernate's complete model of a statement: attributes still are
 * attributes, and joins are known. Hibernate keeps the translation, so a check here costs nothing for further
 * executions of the text. Statements that change several tables have no translator; {@link RoutedHandler} checks
 * those.
 */
public class GuardedTranslatorFactory extends StandardSqmTranslatorFactory {
    @Override
    @SuppressWarnings("deprecation") // the only access to the session factory
    public SqmTranslator<SelectStatement> createSelectTranslator(
            SqmSelectStatement<?> statement,
            QueryOptions options,
            DomainParameterXref parameters,
            QueryParameterBindings bindings,
            LoadQueryInfluencers influencers,
            SqlAstCreationContext context,
            boolean deduplicate) {
        EntityShardRules shards = checked(statement, context.getSessionFactory());
        boolean hasForeign = shards.isRouted() && shards.sharding().mappings().hasForeign();
        return new StandardSqmTranslator<>(
                statement, options, parameters, bindings, influencers, context, deduplicate) {
            /** Entity graphs, and associations that are fetched eagerly, are not in the statement. */
            @Override
            public SqmTranslation<SelectStatement> translate() {
                SqmTranslation<SelectStatement> translated = super.translate();
                if (hasForeign) {
                    ForeignJoins.check(translated.getSqlAst());
                }
                return RoutedSelect.of(statement, parameters, translated, shards);
            }
        };
    }

    @Override
    @SuppressWarnings("deprecation") // the only access to the session factory
    public SqmTranslator<? extends MutationStatement> createMutationTranslator(
            SqmDmlStatement<?> statement,
            QueryOptions options,
            DomainParameterXref parameters,
            QueryParameterBindings bindings,
            LoadQueryInfluencers influencers,
            SqlAstCreationContext context) {
        EntityShardRules shards = checked(statement, context.getSessionFactory());
        Optional<ChangedRows> rows =
                ChangedRows.of(statement, statement.getTarget().getEntityName(), parameters, shards);
        return new StandardSqmTranslator<MutationStatement>(
                statement, options, parameters, bindings, influencers, context, false) {
            @Override
            public SqmTranslation<MutationStatement> translate() {
                SqmTranslation<MutationStatement> translated = super.translate();
                rows.ifPresent(changed ->
                        RoutedJdbcServices.targets(shards.factory()).note(changed, parameters, bindings, translated));
                return translated;
            }
        };
    }

    /** Checks a statement, if the data source routes; if not, no query of the application fails. */
    static EntityShardRules checked(SqmStatement<?> statement, SessionFactoryImplementor factory) {
        EntityShardRules shards = RoutedJdbcServices.rules(factory);
        if (shards.isRouted()) {
            ForeignPaths.check(statement, factory);
            BulkKeyGuard.check(statement, shards);
        }
        return shards;
    }
}
