package io.github.shardedid.spring.data.repository;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ParameterUse;
import jakarta.persistence.Entity;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.QueryRewriter;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.query.DefaultParameters;
import org.springframework.data.repository.query.Parameter;
import org.springframework.data.repository.query.Parameters;
import org.springframework.data.repository.query.ParametersSource;

/**
 * The text of a declared query, and what it compares the arguments of its method with.
 *
 * @param text the text, with parameters for what expressions are replaced by
 * @param isNative whether it is SQL
 * @param rewriter the class of the application that changes the text at each call; null if the text is executed as it is
 */
public record DeclaredQuery(String text, boolean isNative, @Nullable String rewriter) {
    private static final Logger LOG = LoggerFactory.getLogger(DeclaredQuery.class);

    /** An expression that is a parameter, {@code :#{#id}} or {@code ?#{[0]}}. */
    private static final Pattern PARAMETER_AS_EXPRESSION = Pattern.compile("[:?]#\\{\\s*(?:#(\\w+)|\\[(\\d+)])\\s*}");

    private static final String NEITHER =
            "its query neither fixes the id nor the shard key by equality, as far as it can be seen";

    private static final Pattern EXPRESSION = Pattern.compile("[:?]#\\{[^}]*}");
    private static final Pattern LIKE = Pattern.compile("%([:?]\\w+)%?|([:?]\\w+)%");

    /**
     * A query as it is declared.
     *
     * @param text the text
     * @param isNative whether it is SQL
     * @param entity the repository's entity, which expressions in the text may name
     * @return the query
     */
    public static DeclaredQuery of(String text, boolean isNative, Class<?> entity) {
        return new DeclaredQuery(plain(text.replace("#{#entityName}", entityName(entity))), isNative, null);
    }

    /**
     * The text in the annotation of a method.
     *
     * @param method the method
     * @param entity the repository's entity
     * @return the query, or empty if there is none
     */
    public static Optional<DeclaredQuery> in(Method method, Class<?> entity) {
        Query query = AnnotatedElementUtils.findMergedAnnotation(method, Query.class);
        return query == null || query.value().isBlank()
                ? Optional.empty()
                : Optional.of(of(query.value(), query.nativeQuery(), entity));
    }

    /** The same query, whose text is changed before it is executed, unless by a rewriter that changes nothing. */
    DeclaredQuery rewrittenBy(Class<? extends QueryRewriter> type) {
        return type == QueryRewriter.IdentityQueryRewriter.class
                ? this
                : new DeclaredQuery(text, isNative, type.getSimpleName());
    }

    /** Replaces expressions by parameters: by a parameter of the method if the expression is just that. */
    private static String plain(String text) {
        String named = PARAMETER_AS_EXPRESSION.matcher(text).replaceAll(found -> {
            String index = found.group(2);
            String name = index == null ? ":" + found.group(1) : "?" + (Integer.parseInt(index) + 1);
            return Matcher.quoteReplacement(name);
        });
        String parameters = EXPRESSION.matcher(named).replaceAll(":anExpression");
        return LIKE.matcher(parameters)
                .replaceAll(
                        found -> Matcher.quoteReplacement(found.group(1) == null ? found.group(2) : found.group(1)));
    }

    private static String entityName(Class<?> entity) {
        Entity annotation = entity.getAnnotation(Entity.class);
        return annotation == null || annotation.name().isEmpty() ? entity.getSimpleName() : annotation.name();
    }

    /**
     * What the arguments of a method are compared with.
     *
     * @param method the method
     * @param repository its repository
     * @param shards the shards of the repository's entity
     * @return what is known: nothing for a text that a rewriter changes, or that cannot be parsed, which Spring Data reports
     */
    public List<ArgumentUse> uses(Method method, RepositoryInformation repository, EntityShards shards) {
        if (rewriter != null) {
            return List.of();
        }
        Parameters<?, ?> parameters = new DefaultParameters(ParametersSource.of(repository, method));
        List<ArgumentUse> uses = new ArrayList<>();
        for (ParameterUse use : parameterUses(method, repository.getDomainType(), shards)) {
            Integer index = index(use.parameter(), parameters);
            if (index != null) {
                uses.add(new ArgumentUse(index, use.path(), use.rule(), use.decides(), use.decidesByList()));
            }
        }
        return uses;
    }

    /**
     * Why the query does not determine its shards.
     *
     * @param shards the shards of the repository's entity
     * @return empty if its conditions do, so that it is executed there, whatever scope is open
     */
    public Optional<String> undetermined(EntityShards shards) {
        try {
            return isNative ? Optional.of(NEITHER) : shards.undetermined(text);
        } catch (IllegalArgumentException unreadable) {
            return Optional.of(NEITHER); // Spring Data reports it
        }
    }

    private List<ParameterUse> parameterUses(Method method, Class<?> entity, EntityShards shards) {
        if (isNative) {
            return shards.parametersOfNative(entity, text);
        }
        try {
            return shards.parametersOf(text);
        } catch (IllegalArgumentException e) {
            LOG.debug("The query of {} cannot be parsed", method, e);
            return List.of();
        }
    }

    private static @Nullable Integer index(String parameter, Parameters<?, ?> parameters) {
        boolean position = Character.isDigit(parameter.charAt(0));
        int at = 0;
        for (Parameter each : parameters.getBindableParameters()) {
            at++;
            if (position
                    ? Integer.parseInt(parameter) == at
                    : parameter.equals(each.getName().orElse(null))) {
                return each.getIndex();
            }
        }
        return null;
    }
}
