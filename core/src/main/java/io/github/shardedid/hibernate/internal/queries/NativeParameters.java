package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ParameterUse;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.routing.ComparedIds;
import io.github.shardedid.routing.RoutingDataSource;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.QueryException;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.query.sql.internal.ParameterParser;
import org.hibernate.query.sql.spi.ParameterRecognizer;
import org.jspecify.annotations.Nullable;

/**
 * Finds equalities of a parameter with the column of the id or of the shard key in native SQL. They check an annotated
 * parameter; no statement is routed by them alone, but by {@link NativeIds}.
 *
 * <p>Patterns suffice for that, because what they find is never trusted: an annotated parameter that is compared
 * with the wrong column is refused, and one that the patterns miss is taken as annotated. Routing needs certainty,
 * which only the parsed statement gives.
 *
 * @param persister has the names of the columns
 * @param byKey null if the entity has no shard key
 */
record NativeParameters(
        EntityPersister persister, ShardRule byId, @Nullable ShardedMapping mapping, @Nullable ShardRule byKey) {
    private static final String COLUMN = "\"?(?<column>\\w+)\"?";
    private static final String PARAMETER = "(?<parameter>:(?<name>\\w+)|\\?(?<position>\\d*))";
    /**
     * An equality with a parameter; not {@code <=}, {@code >=}, {@code !=}, {@code :=}, nor the second character
     * of {@code ==}.
     */
    private static final Pattern EQUALITY = Pattern.compile("(?<![!<>:=])=\\s*" + PARAMETER);

    private static final Pattern BEFORE = Pattern.compile(COLUMN + "\\s*$");
    private static final Pattern AFTER = Pattern.compile(PARAMETER + "\\s*=\\s*(?:\"?\\w+\"?\\s*\\.\\s*)*" + COLUMN);

    List<ParameterUse> of(String sql) {
        List<ParameterUse> uses = new ArrayList<>();
        Matcher equality = EQUALITY.matcher(sql);
        while (equality.find()) {
            Matcher column = BEFORE.matcher(sql.substring(0, equality.start()));
            if (column.find()) {
                add(uses, column.group("column"), equality, sql);
            }
        }
        Matcher after = AFTER.matcher(sql);
        while (after.find()) {
            add(uses, after.group("column"), after, sql);
        }
        return uses;
    }

    private void add(List<ParameterUse> uses, String column, Matcher found, String sql) {
        ShardRule rule =
                isOf(persister.getIdentifierColumnNames(), column) ? byId : isOf(keyColumns(), column) ? byKey : null;
        if (rule != null) {
            uses.add(new ParameterUse(parameter(found, sql), column, rule, false, false));
        }
    }

    private String @Nullable [] keyColumns() {
        if (mapping == null || mapping.key() == null) {
            return null;
        }
        return mapping.isKeyInId() && mapping.idPart() != null
                ? mapping.idPart().columns().stream()
                        .map(position -> persister.getIdentifierColumnNames()[position])
                        .toArray(String[]::new)
                : persister.getPropertyColumnNames(mapping.key().name());
    }

    /** A key of several columns is determined by none of them alone. */
    private static boolean isOf(String @Nullable [] columns, String column) {
        return columns != null && columns.length == 1 && column.equalsIgnoreCase(columns[0]);
    }

    /**
     * A parameter without a number has the number of its position.
     *
     * <p>Hibernate numbers plain question marks from 1, as JDBC does. Those within literals and comments are
     * counted, too, so that the number may be too high; no statement is routed by it.
     */
    private static String parameter(Matcher found, String sql) {
        if (found.group("name") != null) {
            return found.group("name");
        }
        String position = found.group("position");
        return position.isEmpty()
                ? String.valueOf(1
                        + sql.substring(0, found.start("parameter"))
                                .chars()
                                .filter(c -> c == '?')
                                .count())
                : position;
    }

    /**
     * Finds the parameters of native SQL that are ids of its rows, of which each row has one.
     *
     * <p>The statement is analysed as the connection will see it: a parameter that is required there names the
     * shard of all rows.
     */
    record NativeIds(RoutingDataSource dataSource, ShardRule byId) {
        List<ParameterUse> of(String sql) {
            JdbcText text = new JdbcText();
            try {
                ParameterParser.parse(
                        sql.replace("{h-schema}", RoutingDataSource.SCHEMA_PLACEHOLDER + "."), text, false);
            } catch (QueryException unreadable) {
                return List.of(); // Hibernate refuses the query, too.
            }
            ComparedIds ids = dataSource.comparedIds(text.sql.toString());
            return ids.required()
                    .filter(required -> required.numbers().isEmpty() && !required.isComputed())
                    .filter(required -> ids.count() == text.parameters.size())
                    .map(required -> required.parameters().stream()
                            .map(number -> text.parameters.get(number - 1))
                            .map(name -> new ParameterUse(name, "an id", byId, !required.isList(), required.isList()))
                            .toList())
                    // With several ids, the method's parameters would each name a shard, and only the statement
                    // knows how they combine. It is routed when it is executed.
                    .filter(uses -> uses.size() == 1)
                    .orElse(List.of());
        }

        /** The text as Hibernate sends it, and the names or numbers of its parameters. */
        private static final class JdbcText implements ParameterRecognizer {
            final StringBuilder sql = new StringBuilder();
            final List<String> parameters = new ArrayList<>();

            @Override
            public void ordinalParameter(int position) {
                add(String.valueOf(parameters.size() + 1));
            }

            @Override
            public void namedParameter(String name, int position) {
                add(name);
            }

            @Override
            public void jpaPositionalParameter(int label, int position) {
                add(String.valueOf(label));
            }

            @Override
            public void other(char character) {
                sql.append(character);
            }

            private void add(String parameter) {
                parameters.add(parameter);
                sql.append('?');
            }
        }
    }
}
