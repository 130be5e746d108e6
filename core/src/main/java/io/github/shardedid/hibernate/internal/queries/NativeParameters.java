package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ParameterUse;
import io.github.shardedid.hibernate.ShardRule;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;

/**
 * Finds equalities of a parameter with the column of the id or of the shard key in native SQL. They check an annotated
 * parameter; no statement is routed by them alone, but by {@link NativeIds}.
 */
record NativeParameters(
        EntityPersister persister, ShardRule byId, @Nullable ShardedMapping mapping, @Nullable ShardRule byKey) {
    private static final String COLUMN = "\"?(?<column>\\w+)\"?";
    private static final String PARAMETER = "(?<parameter>:(?<name>\\w+)|\\?(?<position>\\d*))";
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

    private static boolean isOf(String @Nullable [] columns, String column) {
        return columns != null && columns.length == 1 && column.equalsIgnoreCase(columns[0]);
    }

    /** A parameter without a number has the number of its position. */
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
}
