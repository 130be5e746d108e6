package io.github.shardedid.routing.internal.sql.query;

import io.github.shardedid.routing.RequiredIds;
import io.github.shardedid.routing.internal.sql.grammar.Expression;
import io.github.shardedid.routing.internal.sql.grammar.Expression.Kind;
import io.github.shardedid.routing.internal.sql.grammar.Select;
import io.github.shardedid.routing.internal.sql.grammar.SqlSpan;
import io.github.shardedid.routing.internal.sql.lexer.SqlNames;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the parameters that are ids of rows, one of which each row has: in conditions that the WHERE requires. */
final class OwnIds {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,19}");

    private OwnIds() {}

    /**
     * Those in lists, of which a shard needs only its own. Elsewhere, an unknown id in the list would change more than whether it is
     * found.
     */
    static Set<Integer> of(Select query, Scope scope) {
        Set<Integer> found = new HashSet<>();
        if (query.where != null) {
            query.where.conjuncts(condition -> {
                boolean list = condition.is(Kind.IN_LIST) || condition.is(Kind.EQUALS_ANY);
                if (list && scope.keyed(condition.parts().get(0)) != null) {
                    add(condition.parts().get(1), found);
                }
            });
        }
        return Set.copyOf(found);
    }

    private static void add(Expression values, Set<Integer> found) {
        if (isParameter(values)) {
            found.addAll(values.span().parameters());
        } else if (isList(values)) {
            values.parts().stream()
                    .filter(OwnIds::isParameter)
                    .forEach(value -> found.addAll(value.span().parameters()));
        }
    }

    /** Whether values are several in parentheses, not one that is computed from several. */
    private static boolean isList(Expression values) {
        SqlSpan span = values.span();
        return values.is(Kind.OTHER)
                && span.text().is(span.from(), "(")
                && SqlNames.closing(span.text(), span.from()) == span.to() - 1;
    }

    /** Those of an equality, or all of a list. */
    static Optional<RequiredIds> required(Select query, Scope scope, int count) {
        if (query.where == null) {
            return Optional.empty();
        }
        List<RequiredIds> found = new ArrayList<>();
        query.where.conjuncts(condition -> {
            List<Expression> parts = condition.parts();
            boolean list = condition.is(Kind.IN_LIST) || condition.is(Kind.EQUALS_ANY);
            if ((list || condition.is(Kind.EQUALS)) && scope.keyed(parts.get(0)) != null) {
                required(parts.get(1), list, count).ifPresent(found::add);
            } else if (condition.is(Kind.EQUALS) && scope.keyed(parts.get(1)) != null) {
                required(parts.get(0), false, count).ifPresent(found::add);
            }
        });
        return found.stream().filter(ids -> !ids.isList()).findFirst().or(() -> found.stream()
                .findFirst());
    }

    private static Optional<RequiredIds> required(Expression values, boolean list, int count) {
        List<Expression> all = list && isList(values) ? values.parts() : List.of(values);
        List<Long> numbers = new ArrayList<>();
        for (Expression value : all) {
            Long number = number(value);
            if (number != null) {
                numbers.add(number);
            } else if (!isParameter(value) && !(list && isNull(value))) {
                return Optional.empty();
            }
        }
        return Optional.of(new RequiredIds(values.span().parameters(), numbers, list, count));
    }

    private static @Nullable Long number(Expression value) {
        String text = value.span().sql();
        if (!value.is(Kind.LITERAL) || !NUMBER.matcher(text).matches()) {
            return null;
        }
        BigInteger number = new BigInteger(text);
        return number.bitLength() < Long.SIZE ? number.longValue() : null;
    }

    private static boolean isParameter(Expression value) {
        return value.span().is("?");
    }

    /** NULL equals no id. Hibernate writes it for a list without elements. */
    private static boolean isNull(Expression value) {
        return value.span().is("NULL");
    }
}
