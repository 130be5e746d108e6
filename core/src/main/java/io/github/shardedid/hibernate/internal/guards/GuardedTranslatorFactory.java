package io.github.shardedid.hibernate.internal.guards;

import org.hibernate.engine.spi.LoadQueryInfluencers;
import org.hibernate.query.spi.QueryOptions;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslator;
import org.hibernate.query.sqm.sql.StandardSqmTranslatorFactory;
import org.hibernate.query.sqm.tree.SqmDmlStatement;
import org.hibernate.sql.ast.spi.SqlAstCreationContext;
import org.hibernate.sql.ast.tree.MutationStatement;

/** Checks each HQL or criteria statement that changes one table, before it is translated to SQL. Hibernate creates it. */
public final class GuardedTranslatorFactory extends StandardSqmTranslatorFactory {
    @Override
    @SuppressWarnings("deprecation") // the only access to the session factory
    public SqmTranslator<? extends MutationStatement> createMutationTranslator(
            SqmDmlStatement<?> statement,
            QueryOptions options,
            DomainParameterXref parameters,
            QueryParameterBindings bindings,
            LoadQueryInfluencers influencers,
            SqlAstCreationContext context) {
        BulkKeyGuard.check(statement, context.getSessionFactory());
        return super.createMutationTranslator(statement, options, parameters, bindings, influencers, context);
    }
}
