package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.routing.NoShardException;
import org.hibernate.engine.spi.LoadQueryInfluencers;
import org.hibernate.query.spi.QueryOptions;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslation;
import org.hibernate.query.sqm.sql.internal.StandardSqmTranslator;
import org.hibernate.query.sqm.tree.SqmDmlStatement;
import org.hibernate.sql.ast.spi.SqlAstCreationContext;
import org.hibernate.sql.ast.tree.MutationStatement;
import org.jspecify.annotations.Nullable;

/**
 * Translates a statement that changes one table, and notes which rows it changes if its condition fixes them.
 *
 * <p>Statements on several tables are translated elsewhere, and executed by a {@code RoutedHandler}.
 */
public final class RoutedMutationTranslator extends StandardSqmTranslator<MutationStatement> {
    private final QueryParameterBindings bindings;
    private final QueryTargets targets;
    private final @Nullable ChangedRows rows;
    private final boolean hasParameters;

    public RoutedMutationTranslator(
            SqmDmlStatement<?> statement,
            QueryOptions options,
            DomainParameterXref parameters,
            QueryParameterBindings bindings,
            LoadQueryInfluencers influencers,
            SqlAstCreationContext context,
            EntityShardRules shards) {
        super(statement, options, parameters, bindings, influencers, context, false);
        this.bindings = bindings;
        this.targets = RoutedJdbcServices.targets(shards.factory());
        this.hasParameters = parameters.hasParameters();
        this.rows = ChangedRows.of(statement, statement.getTarget().getEntityName(), parameters, shards)
                .orElse(null);
    }

    /**
     * Translates the statement. Hibernate keeps only its parameters with the translation, by which its rows are
     * found again. A statement without parameters could not be found again, so it is refused instead of sent to the
     * open scope.
     */
    @Override
    public SqmTranslation<MutationStatement> translate() {
        SqmTranslation<MutationStatement> translated = super.translate();
        if (rows != null && hasParameters) {
            targets.note(rows, bindings, translated);
        } else if (rows != null) {
            throw new NoShardException("The shard of the rows of " + rows.entityName()
                    + " that a statement changes is a constant of its text. Pass it as a parameter. Nothing was sent.");
        }
        return translated;
    }
}
