package io.github.shardedid.boot.autoconfigure;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.PropertyMatches;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.util.StringUtils;

/** Refuses names that belong to no property: a misspelt one would have no effect, and the default would count. */
final class UnknownProperties {
    /** Of this library's own tests. */
    private static final ConfigurationPropertyName TESTS = ConfigurationPropertyName.of("sharded-id.test");

    private UnknownProperties() {}

    /** What properties below a prefix are bound to. */
    record Root(String prefix, Class<? extends Record> type) {}

    /** Where a name leaves what is known: the record, and which element of the name is no component of it. */
    private record Unknown(Class<?> type, int element) {}

    static void refuse(ConfigurationPropertyName name, List<Root> roots) {
        if (TESTS.isAncestorOf(name) || TESTS.equals(name)) {
            return;
        }
        Unknown deepest = null;
        for (Root root : roots) {
            ConfigurationPropertyName prefix = ConfigurationPropertyName.of(root.prefix());
            if (prefix.equals(name)) {
                return;
            }
            if (prefix.isAncestorOf(name)) {
                Unknown unknown = unknown(root.type(), name, prefix.getNumberOfElements());
                if (unknown == null) {
                    return;
                }
                deepest = deepest == null || unknown.element > deepest.element ? unknown : deepest;
            }
        }
        if (deepest != null) {
            throw new ShardedIdPropertiesException(name + " is not a property of sharded-id, and would have no effect. "
                    + remedy(name, deepest) + ", or remove it.");
        }
    }

    /** Null if the name is known; of maps any key is. */
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

    private static String remedy(ConfigurationPropertyName name, Unknown unknown) {
        String parent = name.chop(unknown.element).toString();
        if (!unknown.type.isRecord()) {
            return "Set " + parent;
        }
        List<String> known = Arrays.stream(unknown.type.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
        String last = name.getElement(unknown.element, Form.UNIFORM);
        List<String> near = known.stream()
                .filter(each -> each.toLowerCase(Locale.ROOT).contains(last))
                .toList();
        if (near.isEmpty()) {
            near = List.of(PropertyMatches.forField(camel(name.getElement(unknown.element, Form.DASHED)), unknown.type)
                    .getPossibleMatches());
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
