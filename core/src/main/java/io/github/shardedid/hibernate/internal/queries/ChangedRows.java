package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.RoutedScope;
import io.github.shardedid.routing.SecondWriteShardException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.topology.Cluster;
import io.github.shardedid.topology.UnknownShardException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.metamodel.mapping.MappingModelExpressible;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.hibernate.query.sqm.tree.expression.SqmExpression;
import org.hibernate.query.sqm.tree.expression.SqmUnaryOperation;
import org.hibernate.sql.ast.tree.expression.Expression;
import org.hibernate.sql.ast.tree.expression.Literal;
import org.hibernate.sql.ast.tree.expression.SqlTuple;
import org.hibernate.sql.ast.tree.expression.UnparsedNumericLiteral;
import org.hibernate.sql.exec.internal.JdbcParameterImpl;
import org.hibernate.sql.exec.spi.ExecutionContext;
import org.hibernate.sql.exec.spi.JdbcParameterBindings;
import org.hibernate.type.descriptor.java.CoercionException;
import org.jspecify.annotations.Nullable;

/**
 * The rows that an HQL or criteria statement changes. Safe for use by several threads.
 *
 * @param entityName for messages
 */
public record ChangedRows(String entityName, RequiredRows required) {
    /** Empty if the condition of the statement does not fix them. */
    public static Optional<ChangedRows> of(
            SqmStatement<?> statement, String entityName, DomainParameterXref parameters, EntityShardRules shards) {
        return StatementReader.read(statement, shards)
                .map(read -> read.bind(parameters))
                .map(required -> new ChangedRows(entityName, required));
    }

    /** The SQL expression of a constant of the statement; as a parameter if it determines the rows. */
    public Expression sent(SqmExpression<?> constant, Expression translated) {
        return required.constants().stream()
                        .anyMatch(each -> each == constant
                                || (each instanceof SqmUnaryOperation<?> operation
                                        && operation.getOperand() == constant))
                ? SentConstant.of(translated, this)
                : translated;
    }

    /** Refuses a statement whose constants determine its rows, if none of them could be sent as a parameter: it would go to the open scope. */
    public void requireSent(boolean sent) {
        if (!sent && (required.computed() != null || !required.constants().isEmpty())) {
            throw new NoShardException(
                    "The shard of the rows of " + entityName + " that a statement changes is a constant of its"
                            + " text, which is no value of the attribute that it is compared with. Pass it as a parameter. Nothing was"
                            + " sent.");
        }
    }

    /** Flushes as the statement is about to, but in the scope of the caller, which is that of its listeners and validators. */
    public static void flush(SharedSessionContractImplementor session, Set<String> tables) {
        session.autoFlushIfRequired(tables);
    }

    /**
     * Changes the rows in their shard, whatever scope is open.
     *
     * @param given the values of the parameters
     * @param session knows the rows whose ids name no shard
     * @param change sends the statement; not called if no row can have these values
     * @return the number of changed rows
     * @throws UnknownShardException if no shard can have generated one of the ids
     * @throws MalformedIdException likewise
     * @throws SecondWriteShardException if the rows are in several shards
     * @throws NoShardException if the statement has other rows, too, and the scope is not that of the values
     */
    public int in(QueryParameterBindings given, SharedSessionContractImplementor session, IntSupplier change) {
        Cluster cluster = Sharding.require(session.getFactory()).cluster();
        RequiredShards values = new RequiredShards(required, given, session, cluster, true);
        Set<Integer> shards = values.find();
        IntSupplier checked = () -> {
            Sharding.require(session.getFactory()).shard(session).ifPresent(values::checkReferences);
            return change.getAsInt();
        };
        return shards == null || (shards.isEmpty() && required.inserts())
                ? checked.getAsInt()
                : in(shards, entityName, checked);
    }

    /**
     * Changes rows in their shard, whatever scope is open.
     *
     * @param what what is changed, for messages
     */
    static int in(Set<Integer> shards, String what, IntSupplier change) {
        if (shards.size() > 1) {
            throw new SecondWriteShardException("A statement would change rows in the shards " + shards
                    + ", but a transaction writes to one shard: " + what
                    + ". Execute it once per shard, with the values of"
                    + " that shard, each in a transaction of its own. Nothing was sent.");
        } else if (shards.isEmpty()) {
            return 0;
        }
        try (ShardContext.Scope scope = RoutedScope.open(shards.iterator().next())) {
            return change.getAsInt();
        }
    }

    /**
     * A constant of a statement that has no parameters and changes rows, sent as a parameter: what Hibernate keeps of a translated statement
     * contains its parameters, and so tells which rows it changes.
     */
    static final class SentConstant extends JdbcParameterImpl {
        private final JdbcMapping type;
        private final Object value;
        private final ChangedRows rows;

        private SentConstant(JdbcMapping type, Object value, ChangedRows rows) {
            super(type);
            this.type = type;
            this.value = value;
            this.rows = rows;
        }

        /** The expression of a constant with its value as a parameter; the same expression if it has none. */
        static Expression of(Expression constant, ChangedRows rows) {
            if (constant instanceof Literal literal) {
                Object value = value(literal);
                return value == null ? constant : new SentConstant(literal.getJdbcMapping(), value, rows);
            }
            if (constant instanceof SqlTuple tuple) {
                List<Expression> columns = tuple.getExpressions().stream()
                        .<Expression>map(each -> of(each, rows))
                        .toList();
                return new SqlTuple(
                        columns, (MappingModelExpressible<?>) Objects.requireNonNull(tuple.getExpressionType()));
            }
            return constant;
        }

        ChangedRows rows() {
            return rows;
        }

        private static @Nullable Object value(Literal literal) {
            if (!(literal instanceof UnparsedNumericLiteral<?> unparsed)) {
                return literal.getLiteralValue();
            }
            Long number = Constants.wholeNumber(unparsed.getUnparsedLiteralValue());
            try {
                return number == null
                        ? null
                        : literal.getJdbcMapping().getJdbcJavaType().coerce(number);
            } catch (CoercionException tooLarge) {
                return null;
            }
        }

        @Override
        public void bindParameterValue(
                PreparedStatement statement, int position, JdbcParameterBindings bindings, ExecutionContext context)
                throws SQLException {
            bindParameterValue(type, statement, value, position, context);
        }
    }
}
