package io.github.shardedid.hibernate.internal.queries;

import java.util.Optional;
import java.util.Set;
import org.hibernate.engine.spi.LoadQueryInfluencers;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.spi.QueryParameterBindings;
import org.hibernate.query.sqm.internal.DomainParameterXref;
import org.hibernate.query.sqm.sql.SqmTranslation;
import org.hibernate.query.sqm.sql.StandardSqmTranslation;
import org.hibernate.query.sqm.tree.select.SqmSelectStatement;
import org.hibernate.sql.ast.tree.select.SelectStatement;
import org.hibernate.sql.exec.spi.JdbcSelect;
import org.hibernate.sql.results.jdbc.internal.JdbcValuesMappingProducerProviderStandard;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesMapping;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesMappingProducer;
import org.hibernate.sql.results.jdbc.spi.JdbcValuesMetadata;

/**
 * A query that Hibernate has translated from HQL or criteria, with the rows that it requires. Hibernate translates a query once for many
 * executions; what it keeps for them contains the mapping of the results, which is created from this statement and so carries the rows.
 *
 * <p>So the rows are found without the text of the query, and live as long as what they belong to.
 */
public final class RoutedSelect extends SelectStatement {
    private final RequiredRows required;

    private RoutedSelect(SelectStatement translated, RequiredRows required) {
        super(translated, translated.getQueryPart(), translated.getDomainResultDescriptors());
        this.required = required;
    }

    /** Returns the translation of a query, with the rows that the query requires, if its condition fixes them. */
    public static SqmTranslation<SelectStatement> of(
            SqmSelectStatement<?> query,
            DomainParameterXref parameters,
            SqmTranslation<SelectStatement> translated,
            EntityShardRules shards) {
        return StatementReader.read(query, shards)
                .map(read -> read.bind(parameters))
                .<SqmTranslation<SelectStatement>>map(rows -> new StandardSqmTranslation<>(
                        new RoutedSelect(translated.getSqlAst(), rows),
                        translated.getJdbcParamsBySqmParam(),
                        translated.getSqmParameterMappingModelTypeResolutions(),
                        translated.getSqlExpressionResolver(),
                        translated.getFromClauseAccess()))
                .orElse(translated);
    }

    /**
     * Returns whether a query requires rows of several ids or shard keys, for data sources that do not route: empty if it does not require
     * one of all of its rows.
     */
    public static Optional<Boolean> requiresSeveralValues(JdbcSelect query, QueryParameterBindings given) {
        return query.getJdbcValuesMappingProducer() instanceof Results results && results.required.loose() == null
                ? Optional.of(results.required.haveSeveralValues(given))
                : Optional.empty();
    }

    /** The mapping of a query's results, with the rows that it requires. It has no other behaviour of its own. */
    record Results(JdbcValuesMappingProducer target, RequiredRows required) implements JdbcValuesMappingProducer {
        @Override
        public JdbcValuesMapping resolve(
                JdbcValuesMetadata metadata, LoadQueryInfluencers influencers, SessionFactoryImplementor factory) {
            return target.resolve(metadata, influencers, factory);
        }

        @Override
        public void addAffectedTableNames(Set<String> tables, SessionFactoryImplementor factory) {
            target.addAffectedTableNames(tables, factory);
        }
    }

    /** Hibernate's own mappings of results, of which those of these queries carry the rows. */
    public static final class Mappings extends JdbcValuesMappingProducerProviderStandard {
        @Override
        public JdbcValuesMappingProducer buildMappingProducer(
                SelectStatement query, SessionFactoryImplementor factory) {
            JdbcValuesMappingProducer standard = super.buildMappingProducer(query, factory);
            return query instanceof RoutedSelect routed ? new Results(standard, routed.required) : standard;
        }
    }
}
