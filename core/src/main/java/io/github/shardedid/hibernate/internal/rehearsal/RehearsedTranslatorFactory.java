package io.github.shardedid.hibernate.internal.rehearsal;

import io.github.shardedid.hibernate.internal.queries.RoutedJdbcServices;
import io.github.shardedid.hibernate.internal.queries.RoutedMutationTranslator;
import io.github.shardedid.hibernate.internal.queries.RoutedSelect;
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
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.sql.ast.spi.SqlAstCreationContext;
import org.hibernate.sql.ast.tree.MutationStatement;
import org.hibernate.sql.ast.tree.select.SelectStatement;

/**
 * Notes which parameters of HQL and criteria statements would decide where they go. Hibernate creates it.
 *
 * <p>Unlike the translator of a sharded session factory, it checks nothing, so that no query of the application
 * fails.
 */
public final class RehearsedTranslatorFactory extends StandardSqmTranslatorFactory {
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
        SessionFactoryImplementor factory = context.getSessionFactory();
        return new StandardSqmTranslator<>(
                statement, options, parameters, bindings, influencers, context, deduplicate) {
            @Override
            public SqmTranslation<SelectStatement> translate() {
                SqmTranslation<SelectStatement> translated = super.translate();
                return RoutedSelect.of(statement, parameters, translated, RehearsedMappings.shardsOf(factory));
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
        SessionFactoryImplementor factory = context.getSessionFactory();
        return new RoutedMutationTranslator(
                statement,
                options,
                parameters,
                bindings,
                influencers,
                context,
                RehearsedMappings.shardsOf(factory),
                RoutedJdbcServices.targets(factory));
    }
}
