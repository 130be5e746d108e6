package io.github.shardedid.routing.internal.sql.grammar;

import io.github.shardedid.routing.internal.sql.names.SchemaPlaceholder;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What stands in a FROM. */
public sealed interface FromItem {
    /** Passes on the expressions within it, but for those of subselects. */
    default void expressions(Consumer<Expression> consumer) {}

    /** The name by which columns refer to it; empty if it has none, as a join has. */
    default String alias() {
        return "";
    }

    /** Passes on the subselects that are tables, and what is part of them. */
    default void selects(Consumer<Select> consumer) {}

    /** Passes on what is no join. */
    default void singles(Consumer<FromItem> consumer) {
        consumer.accept(this);
    }

    /**
     * A table.
     *
     * @param schema its schema, or the placeholder of the shard's; empty if it is not written
     * @param renamed whether its columns are given other names
     */
    record Table(String schema, String name, String alias, boolean renamed) implements FromItem {
        /** Whether it is one of the shard's schema. */
        public boolean sharded() {
            return schema.equals(SchemaPlaceholder.OF_SHARD);
        }
    }

    /** A function; its arguments may refer to what stands before it. */
    record Function(Expression call, String alias) implements FromItem {
        @Override
        public void expressions(Consumer<Expression> consumer) {
            call.walk(consumer);
        }
    }

    /**
     * A subselect.
     *
     * @param columns the names that its columns are given, if they are
     * @param end the position behind it
     */
    record Derived(Select select, String alias, boolean lateral, List<String> columns, int end) implements FromItem {
        @Override
        public void selects(Consumer<Select> consumer) {
            select.selects(consumer);
        }
    }

    /** A join; of a cross join, {@code on} is null. */
    record Join(Type type, FromItem left, FromItem right, @Nullable Expression on) implements FromItem {
        public enum Type {
            INNER,
            LEFT,
            RIGHT,
            FULL
        }

        @Override
        public void expressions(Consumer<Expression> consumer) {
            left.expressions(consumer);
            right.expressions(consumer);
            if (on != null) {
                on.walk(consumer);
            }
        }

        @Override
        public void selects(Consumer<Select> consumer) {
            left.selects(consumer);
            right.selects(consumer);
        }

        @Override
        public void singles(Consumer<FromItem> consumer) {
            left.singles(consumer);
            right.singles(consumer);
        }
    }
}
