package io.github.shardedid.boot.autoconfigure;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.springframework.beans.PropertyMatches;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.util.StringUtils;

/** Names of properties. Unknown ones are refused: a misspelt property would have no effect, and its default would be used. */
final class PropertyNames {
    /** Properties of this library's own tests. */
    private static final ConfigurationPropertyName TESTS = ConfigurationPropertyName.of("sharded-id.test");

    private PropertyNames() {}

    /** The type that a name leads to, and the number of elements that lead there: all of them if the name is known. */
    private record Reached(Type type, int elements) {}

    /** Refuses a name below {@code sharded-id} that is a property of none of the types. */
    static void refuse(ConfigurationPropertyName name, List<Class<? extends Record>> types) {
        List<Reached> reached =
                types.stream().map(type -> follow(type, name, 1)).toList();
        int most = reached.stream().mapToInt(Reached::elements).max().orElse(0);
        if (most == name.getNumberOfElements() || TESTS.isAncestorOf(name) || TESTS.equals(name)) {
            return;
        }
        List<Class<?>> records = reached.stream()
                .filter(each -> each.elements == most && isRecord(each.type))
                .<Class<?>>map(each -> (Class<?>) each.type)
                .toList();
        throw new ShardedIdPropertiesException(name + " is not a property of sharded-id, and would have no effect. "
                + remedy(name, most, records) + ", or remove it.");
    }

    /** Whether a name is a property of the type that is neither a record nor in a list or map of texts. */
    static boolean isSingleValue(ConfigurationPropertyName name, Class<? extends Record> type) {
        Reached reached = follow(type, name, 1);
        return reached.elements == name.getNumberOfElements()
                && reached.type instanceof Class<?>
                && !isRecord(reached.type);
    }

    private static boolean isRecord(Type type) {
        return type instanceof Class<?> single && single.isRecord();
    }

    private static Reached follow(Type type, ConfigurationPropertyName name, int element) {
        if (element == name.getNumberOfElements()) {
            return new Reached(type, element);
        }
        if (type instanceof ParameterizedType several) {
            Type[] arguments = several.getActualTypeArguments();
            Type content = arguments[arguments.length - 1];
            if (isRecord(content)) {
                return follow(content, name, element + 1);
            }
            // Maps have any key, also one with dots.
            return new Reached(content == String.class ? type : content, name.getNumberOfElements());
        }
        if (type instanceof Class<?> single && single.isRecord()) {
            for (RecordComponent component : single.getRecordComponents()) {
                if (name.getElement(element, Form.UNIFORM).equalsIgnoreCase(component.getName())) {
                    return follow(component.getGenericType(), name, element + 1);
                }
            }
        }
        return new Reached(type, element);
    }

    private static String remedy(ConfigurationPropertyName name, int element, List<Class<?>> types) {
        String parent = name.chop(element).toString();
        if (types.isEmpty()) {
            return "Set " + parent;
        }
        List<String> known = types.stream()
                .flatMap(type -> Arrays.stream(type.getRecordComponents()))
                .map(RecordComponent::getName)
                .toList();
        String last = name.getElement(element, Form.UNIFORM);
        List<String> near = known.stream()
                .filter(each -> each.toLowerCase(Locale.ROOT).contains(last))
                .toList();
        if (near.isEmpty()) {
            String field = camel(name.getElement(element, Form.DASHED));
            near = types.stream()
                    .flatMap(type ->
                            Arrays.stream(PropertyMatches.forField(field, type).getPossibleMatches()))
                    .toList();
        }
        return "Correct it to one of "
                + (near.isEmpty() ? known : near)
                        .stream()
                                .map(each -> parent + "." + DataObjectPropertyName.toDashedForm(each))
                                .toList();
    }

    private static String camel(String dashed) {
        return StringUtils.uncapitalize(Arrays.stream(dashed.split("-", -1))
                .map(StringUtils::capitalize)
                .collect(Collectors.joining()));
    }
}
