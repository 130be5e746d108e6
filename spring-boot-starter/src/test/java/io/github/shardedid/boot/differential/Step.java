package io.github.shardedid.boot.differential;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Something that an application does. A record of numbers, texts and the like: {@link #code} prints it as Java. */
interface Step {
    /** Does it on one side; the result is compared. */
    @Nullable
    Object run(Side side);

    /** The step as an expression that a test can hold. */
    default String code() {
        String name = getClass().getSimpleName();
        String within = getClass().getEnclosingClass().getSimpleName();
        return Arrays.stream(getClass().getRecordComponents())
                .map(component -> literal(value(component)))
                .collect(Collectors.joining(", ", "new " + within + "." + name + "(", ")"));
    }

    default Object value(RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(this);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String literal(Object value) {
        if (value instanceof String text) {
            return '"' + text + '"';
        } else if (value instanceof Enum<?> constant) {
            Class<?> within = constant.getDeclaringClass().getEnclosingClass();
            return (within == null ? "" : within.getSimpleName() + ".")
                    + constant.getDeclaringClass().getSimpleName() + "." + constant.name();
        } else if (value instanceof Collection<?> list) {
            return list.stream().map(Step::literal).collect(Collectors.joining(", ", "List.of(", ")"));
        }
        return value.toString();
    }

    /** Steps as the body of a test. */
    static String code(List<Step> steps) {
        return steps.stream().map(Step::code).collect(Collectors.joining(",\n        ", "replay(\n        ", ");"));
    }
}
