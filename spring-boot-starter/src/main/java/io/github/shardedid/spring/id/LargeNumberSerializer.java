package io.github.shardedid.spring.id;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.jdk.NumberSerializers.LongSerializer;

/**
 * Writes the numbers of a property that is not known to be an id, and logs a warning for the first one that JavaScript would round, and that
 * the cluster can have generated: a class for clients may lack {@link io.github.shardedid.spring.id.IdOf}. Logs once for each property.
 */
final class LargeNumberSerializer extends LongSerializer {
    private static final Logger LOG = LoggerFactory.getLogger(LargeNumberSerializer.class);

    /** {@code Number.MAX_SAFE_INTEGER} of JavaScript: 2⁵³ − 1. */
    private static final long MAX_SAFE_INTEGER = (1L << 53) - 1;

    private final Class<?> type;
    private final String property;
    private final Set<String> logged;
    private final LongPredicate canBeId;

    private LargeNumberSerializer(Class<?> type, String property, Set<String> logged, LongPredicate canBeId) {
        super(type);
        this.type = type;
        this.property = property;
        this.logged = logged;
        this.canBeId = canBeId;
    }

    /** Replaces Jackson's own serializer; not one that the application has registered. */
    static ValueSerializerModifier modifier(LongPredicate canBeId) {
        Set<String> logged = ConcurrentHashMap.newKeySet();
        return new ValueSerializerModifier() {
            private static final long serialVersionUID = 1;

            @Override
            public ValueSerializer<?> modifySerializer(
                    SerializationConfig config, BeanDescription.Supplier bean, ValueSerializer<?> serializer) {
                return serializer.getClass() == LongSerializer.class
                        ? new LargeNumberSerializer(serializer.handledType(), "", logged, canBeId)
                        : serializer;
            }
        };
    }

    @Override
    public ValueSerializer<?> createContextual(SerializationContext context, @Nullable BeanProperty property) {
        JsonFormat.Value format = findFormatOverrides(context, property, handledType());
        if (property == null || property.getMember() == null || (format != null && format.hasShape())) {
            return new LongSerializer(type).createContextual(context, property);
        }
        return new LargeNumberSerializer(
                type, property.getMember().getDeclaringClass().getName() + "." + property.getName(), logged, canBeId);
    }

    @Override
    public void serialize(Object value, JsonGenerator json, SerializationContext context) {
        super.serialize(value, json, context);
        long number = (Long) value;
        if (number > MAX_SAFE_INTEGER && !property.isEmpty() && canBeId.test(number) && logged.add(property)) {
            LOG.warn(
                    "{} was written to JSON as the number {}, which JavaScript rounds. If it is a sharded id, annotate it with @IdOf:"
                            + " it is then written as text. If it is not, @JsonFormat(shape = NUMBER_INT) disables this warning.",
                    property,
                    number);
        }
    }
}
