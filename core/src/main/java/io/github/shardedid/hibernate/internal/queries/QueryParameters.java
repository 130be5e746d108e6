package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ParameterUse;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.foreign.ReferencePaths;
import jakarta.persistence.criteria.Predicate.BooleanOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.model.domain.EntityDomainType;
import org.hibernate.query.sqm.ComparisonOperator;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.cte.SqmCteContainer;
import org.hibernate.query.sqm.tree.delete.SqmDeleteStatement;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.from.SqmAttributeJoin;
import org.hibernate.query.sqm.tree.from.SqmJoin;
import org.hibernate.query.sqm.tree.from.SqmRoot;
import org.hibernate.query.sqm.tree.predicate.SqmBooleanExpressionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmComparisonPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmInListPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmJunctionPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmPredicate;
import org.hibernate.query.sqm.tree.predicate.SqmWhereClause;
import org.hibernate.query.sqm.tree.select.SqmQuerySpec;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;
import org.hibernate.query.sqm.tree.update.SqmUpdateStatement;
import org.jspecify.annotations.Nullable;

/** Reads the comparisons of a query's parameters from Hibernate's model of the query. */
final class QueryParameters extends QueryWalker {
    private final AttributeRules shards;
    private final List<ParameterUse> uses = new ArrayList<>();
    /** The comparisons that hold for every row of the statement. */
    private final Set<SqmPredicate> always = Collections.newSetFromMap(new IdentityHashMap<>());

    private QueryParameters(AttributeRules shards) {
        this.shards = shards;
    }

    static List<ParameterUse> of(String hql, AttributeRules shards, SessionFactoryImplementor factory) {
        SqmStatement<?> statement =
                factory.getQueryEngine().interpretHql(hql, null).getSqmStatement();
        ForeignPaths.check(statement, factory);
        QueryParameters reader = new QueryParameters(shards);
        SqmWhereClause where = whereOfOneRoot(statement);
        if (where != null && where.getPredicate() != null) {
            reader.conjuncts(where.getPredicate());
        }
        statement.accept(reader);
        return List.copyOf(reader.uses);
    }

    /** The condition on all rows. Null if they come from several entities, or the statement is of another kind. */
    static @Nullable SqmWhereClause whereOfOneRoot(SqmStatement<?> statement) {
        if (new SeveralRoots().in(statement)) {
            return null;
        }
        if (statement instanceof SqmCteContainer ctes
                && !ctes.getCteStatements().isEmpty()) {
            return null;
        } else if (statement instanceof SqmUpdateStatement<?> update) {
            return update.getWhereClause();
        } else if (statement instanceof SqmDeleteStatement<?> delete) {
            return delete.getWhereClause();
        }
        return statement instanceof SqmSelectStatement<?> select
                        && select.getQueryPart() instanceof SqmQuerySpec<?> spec
                ? spec.getWhereClause()
                : null;
    }

    private void conjuncts(SqmPredicate predicate) {
        if (predicate instanceof SqmJunctionPredicate junction && junction.getOperator() == BooleanOperator.AND) {
            junction.getPredicates().forEach(this::conjuncts);
        } else {
            always.add(predicate);
        }
    }

    @Override
    public Object visitComparisonPredicate(SqmComparisonPredicate predicate) {
        boolean equal = predicate.getSqmOperator() == ComparisonOperator.EQUAL && !predicate.isNegated();
        boolean decides = equal && always.contains(predicate);
        add(predicate.getLeftHandExpression(), predicate.getRightHandExpression(), equal, decides, false);
        add(predicate.getRightHandExpression(), predicate.getLeftHandExpression(), equal, decides, false);
        return super.visitComparisonPredicate(predicate);
    }

    @Override
    public Object visitInListPredicate(SqmInListPredicate<?> predicate) {
        boolean equal = predicate.getListExpressions().size() == 1 && !predicate.isNegated();
        boolean decides = equal && always.contains(predicate);
        predicate
                .getListExpressions()
                .forEach(value -> add(predicate.getTestExpression(), value, equal, false, decides));
        return super.visitInListPredicate(predicate);
    }

    @Override
    public Object visitBooleanExpressionPredicate(SqmBooleanExpressionPredicate predicate) {
        RequiredValues.Element.of(predicate)
                .forEach(found -> add(found.element(), found.array(), true, false, always.contains(predicate)));
        return super.visitBooleanExpressionPredicate(predicate);
    }

    private void add(
            SqmExpression<?> attribute, SqmExpression<?> value, boolean equal, boolean decides, boolean byList) {
        if (!(attribute instanceof SqmPath<?> path) || !(value instanceof SqmParameter<?> parameter)) {
            return;
        }
        String name = parameter.getName() == null ? String.valueOf(parameter.getPosition()) : parameter.getName();
        Compared compared = compared(path, shards);
        ShardRule rule = equal ? compared.rule : null;
        uses.add(new ParameterUse(name, compared.text, rule, decides && rule != null, byList && rule != null));
    }

    record Compared(String text, @Nullable ShardRule rule) {}

    /** By the closest entity of the path that is in the shard of the rows: associated entities are, except foreign ones. */
    static Compared compared(SqmPath<?> path, AttributeRules shards) {
        StringBuilder attributes = new StringBuilder();
        SqmPath<?> at = path;
        while (at != null) {
            if (at.getReferencedPathSource().getPathType() instanceof EntityDomainType<?> type
                    && !ReferencePaths.isForeign(at)) {
                Class<?> entity = type.getJavaType();
                String name = attributes.toString();
                if (!shards.isSharded(entity)) {
                    return new Compared(type.getName() + "." + name, null);
                }
                return new Compared(
                        name.isEmpty() ? type.getName() : type.getName() + "." + name,
                        name.isEmpty()
                                ? shards.byId(entity)
                                : shards.byPath(entity, name).orElse(null));
            }
            String own = at.getReferencedPathSource().getPathName();
            attributes.insert(0, attributes.length() == 0 ? own : own + ".");
            at = at.getLhs();
        }
        return new Compared(path.getNavigablePath().getFullPath(), null);
    }

    /** Finds rows of a statement that may not be associated with those of its only root. */
    private static final class SeveralRoots extends QueryWalker {
        private int roots;
        private boolean others;

        boolean in(SqmStatement<?> statement) {
            statement.accept(this);
            return others || roots > 1;
        }

        @Override
        public Object visitSubQueryExpression(SqmSubQuery<?> expression) {
            others = true;
            return super.visitSubQueryExpression(expression);
        }

        @Override
        protected void consumeFromClauseRoot(SqmRoot<?> root) {
            roots++;
            super.consumeFromClauseRoot(root);
        }

        @Override
        protected void consumeExplicitJoin(SqmJoin<?, ?> join, boolean transitive) {
            others |= !(join instanceof SqmAttributeJoin<?, ?>);
            super.consumeExplicitJoin(join, transitive);
        }
    }
}
