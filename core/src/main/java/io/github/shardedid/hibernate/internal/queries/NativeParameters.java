package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ParameterUse;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.routing.ComparedIds;
import io.github.shardedid.routing.RoutingDataSource;
import java.util.List;
import org.hibernate.QueryException;
import org.hibernate.query.sql.internal.ParameterParser;
import org.hibernate.query.sql.internal.ParameterRecognizerImpl;

/**
 * Finds the parameters of native SQL that are ids of its rows, of which each row has one.
 *
 * <p>The statement is analysed as the connection will see it: a parameter that is required there names the shard of
 * all rows. Columns of shard keys are not looked for, since a parameter with {@code @ShardKey} is taken as annotated; if it
 * is an id of another shard, the statement is refused when it is executed.
 */
record NativeParameters(RoutingDataSource dataSource, ShardRule byId) {
    List<ParameterUse> of(String sql) {
        ParameterRecognizerImpl text = new ParameterRecognizerImpl();
        try {
            ParameterParser.parse(sql.replace("{h-schema}", RoutingDataSource.SCHEMA_PLACEHOLDER + "."), text, false);
        } catch (QueryException unreadable) {
            return List.of(); // Hibernate refuses the query, too.
        }
        ComparedIds ids = dataSource.comparedIds(text.getAdjustedSqlString());
        return ids.required()
                .filter(required -> required.numbers().isEmpty() && !required.isComputed())
                .filter(required -> ids.count() == text.getParameterList().size())
                .map(required -> required.parameters().stream()
                        .map(number -> QueryParameters.name(
                                text.getParameterList().get(number - 1).parameter()))
                        .map(name -> new ParameterUse(name, "an id", byId, !required.isList(), required.isList()))
                        .toList())
                // With several ids, the method's parameters would each name a shard, and only the statement
                // knows how they combine. It is routed when it is executed.
                .filter(uses -> uses.size() == 1)
                .orElse(List.of());
    }
}
