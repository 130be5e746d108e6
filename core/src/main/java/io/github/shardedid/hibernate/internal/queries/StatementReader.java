package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.queries.Relations.ComparedPath;
import io.github.shardedid.hibernate.internal.queries.Relations.Relation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.hibernate.query.sqm.tree.SqmDeleteOrUpdateStatement;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.delete.SqmDeleteStatement;
import org.hibernate.query.sqm.tree.domain.SqmPath;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmParameter;
import org.hibernate.query.sqm.tree.insert.SqmInsertSelectStatement;
import org.hibernate.query.sqm.tree.insert.SqmInsertStatement;
import org.hibernate.query.sqm.tree.insert.SqmInsertValuesStatement;
import org.hibernate.query.sqm.tree.predicate.SqmWhereClause;
import org.hibernate.query.sqm.tree.select.SqmQuerySpec;
import org.hibernate.query.sqm.tree.select.SqmSubQuery;
import org.hibernate.query.sqm.tree.update.SqmAssignment;
import org.hibernate.query.sqm.tree.update.SqmUpdateStatement;
import org.jspecify.annotations.Nullable;

/**
 * Reads the conditions of a statement, select by select:
 *
 * <ol>
 *   <li>Each item of a FROM is a relation, with what it is joined to by associations.
 *   <li>A condition on all rows of the select, of the WHERE, the HAVING or an inner join, is one of its relation; if it equates two keys, it
 *       makes a group of two relations.
 *   <li>A subselect that is required to have a row, and one in the FROM that neither groups nor limits its rows, is read as a part of the
 *       select around it.
 *   <li>A relation that is equated with one of a select around it, or joined to one by an outer join, is bound to that.
 * </ol>
 *
 * For one thread.
 */
final class StatementReader extends QueryWalker {
    private final AttributeRules shards;
    private final Relations relations;
    private final List<Relation> all = new ArrayList<>();
    private final Set<SqmSubQuery<?>> inlined = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<SqmSubQuery<?>> visited = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<RequiredRows.Condition> references = new ArrayList<>();
    private Select select;

    private StatementReader(AttributeRules shards) {
        this.shards = shards;
        this.relations = new Relations(shards);
        this.select = new Select(this, relations, shards);
    }

    /** Reads what a statement requires; empty if that is nothing. */
    static Optional<RequiredRows> read(SqmStatement<?> statement, AttributeRules shards) {
        RequiredRows read = readAll(statement, shards);
        return read.groups().isEmpty() && read.references().isEmpty() && read.computed() == null
                ? Optional.empty()
                : Optional.of(read);
    }

    private static RequiredRows readAll(SqmStatement<?> statement, AttributeRules shards) {
        StatementReader reader = new StatementReader(shards);
        statement.accept(reader);
        String loose = reader.all.stream()
                .filter(Relation::isLoose)
                .map(Relation::toString)
                .findFirst()
                .orElse(null);
        String computed = reader.all.stream()
                .filter(Relation::isLoose)
                .map(Relation::computed)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        List<List<RequiredRows.Condition>> groups = new ArrayList<>();
        reader.all.stream()
                .filter(relation -> relation.requires(loose != null))
                .map(Relation::conditionsOfGroup)
                .forEach(groups::add);
        if (statement instanceof SqmInsertStatement<?> insert) {
            reader.readNewRows(insert, groups);
        }
        return new RequiredRows(
                List.copyOf(groups),
                loose,
                computed,
                statement instanceof SqmInsertStatement<?>,
                List.copyOf(reader.references));
    }

    /** The values of new rows, each of which names the shard of its row. */
    private void readNewRows(SqmInsertStatement<?> insert, List<List<RequiredRows.Condition>> groups) {
        List<List<SqmExpression<?>>> rows = new ArrayList<>();
        if (insert instanceof SqmInsertValuesStatement<?> values) {
            values.getValuesList().forEach(row -> rows.add(row.getExpressions()));
        } else if (insert instanceof SqmInsertSelectStatement<?> from) {
            Select.specs(from.getSelectQueryPart()).forEach(spec -> rows.add(Relations.items(spec)));
        }
        List<? extends SqmPath<?>> paths = insert.getInsertionTargetPaths();
        for (int i = 0; i < paths.size(); i++) {
            int position = i;
            ComparedPath compared = ComparedPath.of(paths.get(i), shards);
            ShardRule rule = compared.rule();
            List<SqmExpression<?>> values = rows.stream()
                    .filter(row -> position < row.size())
                    .<SqmExpression<?>>map(row -> row.get(position))
                    .toList();
            if (rule != null
                    && !values.isEmpty()
                    && values.stream().allMatch(value -> Constants.isKnown(value, rule))) {
                groups.add(List.of(RequiredRows.Condition.of(compared.text(), rule, values, false, compared.ofAny())));
            }
        }
    }

    @Override
    public Object visitUpdateStatement(SqmUpdateStatement<?> statement) {
        readChange(statement, statement.getWhereClause());
        return super.visitUpdateStatement(statement);
    }

    @Override
    public Object visitDeleteStatement(SqmDeleteStatement<?> statement) {
        readChange(statement, statement.getWhereClause());
        return super.visitDeleteStatement(statement);
    }

    private void readChange(SqmDeleteOrUpdateStatement<?> statement, @Nullable SqmWhereClause where) {
        select.declare(statement.getTarget());
        select.require(where == null ? null : where.getPredicate());
        select.read();
    }

    /** Of other references, the columns are compared when the statement is sent. */
    @Override
    public Object visitAssignment(SqmAssignment<?> assignment) {
        ComparedPath compared = ComparedPath.of(assignment.getTargetPath(), shards);
        ShardRule rule = compared.rule();
        if (rule != null && shards.needsEntity(rule) && assignment.getValue() instanceof SqmParameter<?> value) {
            references.add(RequiredRows.Condition.of(compared.text(), rule, List.of(value), false, true));
        }
        return super.visitAssignment(assignment);
    }

    @Override
    public Object visitQuerySpec(SqmQuerySpec<?> spec) {
        Select outer = select;
        select = new Select(this, relations, shards);
        try {
            select.declare(spec);
            select.read();
            return super.visitQuerySpec(spec);
        } finally {
            select = outer;
        }
    }

    @Override
    public Object visitSubQueryExpression(SqmSubQuery<?> expression) {
        if (visited.contains(expression)) {
            return expression;
        }
        return inlined.contains(expression)
                ? super.visitQuerySpec(expression.getQuerySpec())
                : super.visitSubQueryExpression(expression);
    }

    void add(Relation relation) {
        all.add(relation);
    }

    /** Reads a subselect as a part of the select around it. Returns whether it was not one already. */
    boolean inline(SqmSubQuery<?> subselect) {
        return inlined.add(subselect);
    }

    void visit(SqmSubQuery<?> subselect) {
        visitSubQueryExpression(subselect);
        visited.add(subselect);
    }
}
