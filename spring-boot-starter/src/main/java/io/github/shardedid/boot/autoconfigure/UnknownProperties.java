package io.github.shardedid.boot.autoconfigure;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyMatches;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.util.StringUtils;

/** Refuses unknown property names: a misspelt property would have no effect, and its default would be used. */
final class UnknownProperties {
    /** Properties of this library's own tests. */
    private static final ConfigurationPropertyName TESTS = ConfigurationPropertyName.of("sharded-id.test");

    private UnknownProperties() {}

    /** The record at which a name ceases to be known, and the index of the element that is no component of it. */
    private record Unknown(Class<?> type, int element) {}

    /** Refuses a name below {@code sharded-id} that is a property of none of the types. */
    static void refuse(ConfigurationPropertyName name, List<Class<? extends Record>> types) {
        if (TESTS.isAncestorOf(name) || TESTS.equals(name)) {
            return;
        }
        List<Unknown> deepest = new ArrayList<>();
        for (Class<? extends Record> type : types) {
            Unknown unknown = unknown(type, name, 1);
            if (unknown == null) {
                return;
            }
            deepest.removeIf(each -> each.element < unknown.element);
            if (deepest.stream().allMatch(each -> each.element == unknown.element)) {
                deepest.add(unknown);
            }
        }
        throw new ShardedIdPropertiesException(name + " is not a property of sharded-id, and would have no effect. "
                + remedy(name, deepest) + ", or remove it.");
    }

    /** Null if the name is known. Maps have any key. */
    private static @Nullable Unknown unknown(Type type, ConfigurationPropertyName name, int element) {
        if (element == name.getNumberOfElements()) {
            return null;
        }
        if (type instanceof ParameterizedType several) {
            Type[] arguments = several.getActualTypeArguments();
            Type content = arguments[arguments.length - 1];
            return content instanceof Class<?> single && single.isRecord() ? unknown(content, name, element + 1) : null;
        }
        if (!(type instanceof Class<?> single) || !single.isRecord()) {
            return new Unknown(Object.class, element);
        }
        for (RecordComponent component : single.getRecordComponents()) {
            if (name.getElement(element, Form.UNIFORM).equalsIgnoreCase(component.getName())) {
                return unknown(component.getGenericType(), name, element + 1);
            }
        }
        return new Unknown(single, element);
    }

    private static String remedy(ConfigurationPropertyName name, List<Unknown> deepest) {
        int element = deepest.get(0).element;
        String parent = name.chop(element).toString();
        List<Class<?>> types = deepest.stream()
                .<Class<?>>map(Unknown::type)
                .filter(Class::isRecord)
                .toList();
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
                                .map(each -> parent + "."
                                        + each.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                                .toList();
    }

    private static String camel(String dashed) {
        return StringUtils.uncapitalize(Arrays.stream(dashed.split("-", -1))
                .map(StringUtils::capitalize)
                .collect(Collectors.joining()));
    }
}
