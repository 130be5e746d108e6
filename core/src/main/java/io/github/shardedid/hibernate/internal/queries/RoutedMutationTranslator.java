package io.github.shardedid.hibernate.internal.queries;

import org.hibernate.engine.spi.LoadQueryInfluencers;
import org.hibernate.query.spi.QueryOptions;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslation;
import org.hibernate.query.sqm.sql.internal.StandardSqmTranslator;
import org.hibernate.query.sqm.tree.SqmDmlStatement;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmFieldLiteral;
import org.hibernate.query.sqm.tree.expression.SqmHqlNumericLiteral;
import org.hibernate.query.sqm.tree.expression.SqmLiteral;
import org.hibernate.sql.ast.spi.SqlAstCreationContext;
import org.hibernate.sql.ast.tree.MutationStatement;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.jspecify.annotations.Nullable;

/** Translates a statement that changes one table, and notes which rows it changes if its condition fixes them. */
public final class RoutedMutationTranslator extends StandardSqmTranslator<MutationStatement> {
    private final QueryParameterBindings bindings;
    private final @Nullable QueryTargets targets;
    private final @Nullable ChangedRows rows;
    private final boolean hasParameters;
    private boolean constantsAreSent;

    @SuppressWarnings("this-escape")
    public RoutedMutationTranslator(
            SqmDmlStatement<?> statement,
            QueryOptions options,
            DomainParameterXref parameters,
            QueryParameterBindings bindings,
            LoadQueryInfluencers influencers,
            SqlAstCreationContext context,
            EntityShardRules shards,
            @Nullable QueryTargets targets) {
        super(statement, options, parameters, bindings, influencers, context, false);
        this.bindings = bindings;
        this.targets = targets;
        this.hasParameters = parameters.hasParameters();
        this.rows = ChangedRows.of(statement, statement.getTarget().getEntityName(), parameters, shards)
                .orElse(null);
    }

    @Override
    public SqmTranslation<MutationStatement> translate() {
        SqmTranslation<MutationStatement> translated = super.translate();
        if (targets != null && rows != null && hasParameters) {
            targets.note(rows, bindings, translated);
        } else if (targets != null && rows != null) {
            rows.requireSent(constantsAreSent);
        }
        return translated;
    }

    @Override
    public Expression visitLiteral(SqmLiteral<?> literal) {
        return sent(literal, super.visitLiteral(literal));
    }

    @Override
    public <N extends Number> Expression visitHqlNumericLiteral(SqmHqlNumericLiteral<N> literal) {
        return sent(literal, super.visitHqlNumericLiteral(literal));
    }

    @Override
    public Object visitFieldLiteral(SqmFieldLiteral<?> literal) {
        return sent(literal, (Expression) super.visitFieldLiteral(literal));
    }

    private Expression sent(SqmExpression<?> constant, Expression translated) {
        Expression sent = rows == null || hasParameters ? translated : rows.sent(constant, translated);
        constantsAreSent |= sent != translated;
        return sent;
    }
}
