package io.github.shardedid.routing.internal.sql.grammar;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An item of a FROM: a table, a function, a subselect or a join. Immutable. */
public sealed interface FromItem {
    /** Returns the name by which columns refer to it; empty if it has none, as a join has. */
    default String alias() {
        return "";
    }

    /** Returns the call of a function; null of anything else. */
    default @Nullable Expression call() {
        return null;
    }

    /** Returns the conditions of its joins. */
    default Stream<Expression> on() {
        return Stream.empty();
    }

    /** Returns the conditions of its joins that each row must fulfil, as those of an outer join need not. */
    default Stream<Expression> required() {
        return Stream.empty();
    }

    /** Returns the items that are no joins. */
    default Stream<FromItem> singles() {
        return Stream.of(this);
    }

    /**
     * A table.
     *
     * <p>One without a schema is not read: by the search path it would be another one in each shard, and one
     * statement asks several.
     *
     * @param name its name, with its schema
     * @param alias the name by which columns refer to it, which is its own if it has no other
     */
    record Table(TableName name, String alias) implements FromItem {}

    /** A function that returns rows; its arguments may refer to what stands before it. */
    record Function(Expression call, String alias) implements FromItem {}

    /**
     * A subselect.
     *
     * @param select what it selects
     * @param columns the names that its columns are given, if they are
     * @param alias the name by which columns refer to it; empty if it has none
     */
    record Derived(Select select, String alias, List<String> columns) implements FromItem {}

    /**
     * A join.
     *
     * @param outer whether it is a left join; else an inner one
     * @param condition what joins the rows; null for a cross join
     */
    record Join(boolean outer, FromItem left, FromItem right, @Nullable Expression condition) implements FromItem {
        @Override
        public Stream<Expression> on() {
            return Stream.of(left.on(), right.on(), Stream.ofNullable(condition))
                    .flatMap(each -> each);
        }

        @Override
        public Stream<Expression> required() {
            return outer
                    ? left.required()
                    : Stream.of(left.required(), right.required(), Stream.ofNullable(condition))
                            .flatMap(each -> each);
        }

        @Override
        public Stream<FromItem> singles() {
            return Stream.concat(left.singles(), right.singles());
        }
    }
}
