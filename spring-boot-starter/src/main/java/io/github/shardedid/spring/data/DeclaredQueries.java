package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ParameterUse;
import io.github.shardedid.hibernate.ShardedIdMappingException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.named.NamedObjectRepository;
import org.hibernate.query.sql.spi.NamedNativeQueryMemento;
import org.hibernate.query.sqm.spi.NamedSqmQueryMemento;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.annotation.QueryAnnotation;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.QueryRewriter;
import org.springframework.data.jpa.repository.query.DefaultJpaEntityMetadata;
import org.springframework.data.jpa.repository.query.Procedure;
import org.springframework.data.repository.core.NamedQueries;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.RepositoryMetadata;
import org.springframework.data.repository.core.support.PropertiesBasedNamedQueries;
import org.springframework.data.repository.core.support.RepositoryFactorySupport;
import org.springframework.data.repository.query.DefaultParameters;
import org.springframework.data.repository.query.Parameter;
import org.springframework.data.repository.query.Parameters;
import org.springframework.data.repository.query.ParametersSource;
import org.springframework.data.repository.query.QueryLookupStrategy;

/**
 * The declared queries of a repository's methods, as Spring Data finds them. Safe for use by several threads.
 *
 * @param repository the repository
 * @param named the queries of a file, which take precedence over those of the entities
 * @param ignored whether each query is derived from the name of its method, whatever is declared
 * @param ofEntities the named queries of entities and of {@code orm.xml}
 */
record DeclaredQueries(
        RepositoryMetadata repository, NamedQueries named, boolean ignored, NamedObjectRepository ofEntities) {
    /**
     * Reads where a factory of repositories looks for queries.
     *
     * @param repositories a factory that is configured completely
     * @throws ShardedIdMappingException if the version of Spring Data has other sources
     */
    static DeclaredQueries of(
            RepositoryFactorySupport repositories, SessionFactory factory, RepositoryMetadata repository) {
        try {
            DirectFieldAccessor fields = new DirectFieldAccessor(repositories);
            NamedQueries named = (NamedQueries) fields.getPropertyValue("namedQueries");
            return new DeclaredQueries(
                    repository,
                    named == null ? PropertiesBasedNamedQueries.EMPTY : named,
                    fields.getPropertyValue("queryLookupStrategyKey") == QueryLookupStrategy.Key.CREATE,
                    factory.unwrap(SessionFactoryImplementor.class)
                            .getQueryEngine()
                            .getNamedObjectRepository());
        } catch (BeansException | ClassCastException e) {
            throw new ShardedIdMappingException(
                    "The routes of repository methods cannot be read from their queries: this version of Spring Data stores its"
                            + " named queries or its query lookup strategy in another way (" + e.getMessage()
                            + "). Use the version of Spring Data of the supported Spring Boot.");
        }
    }

    /** Returns whether an annotation of a method declares its query; false if Spring Data ignores it. */
    boolean isAnnotated(Method method) {
        return !ignored && (AnnotatedElementUtils.hasAnnotation(method, QueryAnnotation.class) || isProcedure(method));
    }

    /** Returns whether a method calls a procedure. */
    boolean isProcedure(Method method) {
        return !ignored && AnnotatedElementUtils.hasAnnotation(method, Procedure.class);
    }

    /**
     * The query of a method: the text in the annotation, the query that it names, or the query with the usual name, in this order. Empty
     * if it is derived from the method's name, or is not found.
     */
    Optional<DeclaredQuery> of(Method method) {
        if (ignored) {
            return Optional.empty();
        }
        Class<?> entity = repository.getDomainType();
        Query query = AnnotatedElementUtils.findMergedAnnotation(method, Query.class);
        if (query != null && !query.value().isBlank()) {
            return Optional.of(
                    DeclaredQuery.of(query.value(), query.nativeQuery(), entity).rewrittenBy(query.queryRewriter()));
        }
        String name = name(method, query);
        Optional<DeclaredQuery> found = named.hasQuery(name)
                ? Optional.of(DeclaredQuery.of(named.getQuery(name), query != null && query.nativeQuery(), entity))
                : ofEntities(name);
        return query == null ? found : found.map(text -> text.rewrittenBy(query.queryRewriter()));
    }

    private String name(Method method, @Nullable Query query) {
        if (query != null && !query.name().isBlank()) {
            return query.name();
        }
        Class<?> returned = repository.getReturnedDomainClass(method);
        Class<?> entity = repository.getDomainType();
        return (entity.isAssignableFrom(returned) ? returned : entity).getSimpleName() + "." + method.getName();
    }

    private Optional<DeclaredQuery> ofEntities(String name) {
        NamedSqmQueryMemento<?> hql = ofEntities.getSqmQueryMemento(name);
        NamedNativeQueryMemento<?> sql = ofEntities.getNativeQueryMemento(name);
        Class<?> entity = repository.getDomainType();
        if (sql != null) {
            return Optional.of(DeclaredQuery.of(String.valueOf(sql.getOriginalSqlString()), true, entity));
        }
        // A criteria query, which may be named too, has no text.
        return hql == null
                ? Optional.empty()
                : Optional.of(DeclaredQuery.of(String.valueOf(hql.getHqlString()), false, entity));
    }

    /**
     * The text of a declared query, and what it compares the arguments of its method with.
     *
     * @param text the text, with parameters for what expressions are replaced by
     * @param isNative whether it is SQL
     * @param rewriter the class of the application that changes the text at each call; null if the text is executed as it is
     */
    record DeclaredQuery(String text, boolean isNative, @Nullable String rewriter) {
        private static final Logger LOG = LoggerFactory.getLogger(DeclaredQuery.class);

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
        static DeclaredQuery of(String text, boolean isNative, Class<?> entity) {
            String named = text.replace("#{#entityName}", new DefaultJpaEntityMetadata<>(entity).getEntityName());
            return new DeclaredQuery(plain(named), isNative, null);
        }

        /** Returns the query as one whose text is changed before it is executed, unless by a rewriter that changes nothing. */
        DeclaredQuery rewrittenBy(Class<? extends QueryRewriter> type) {
            return type == QueryRewriter.IdentityQueryRewriter.class
                    ? this
                    : new DeclaredQuery(text, isNative, type.getSimpleName());
        }

        /** Replaces expressions by parameters. */
        private static String plain(String text) {
            String parameters = EXPRESSION.matcher(text).replaceAll(":anExpression");
            return LIKE.matcher(parameters)
                    .replaceAll(found ->
                            Matcher.quoteReplacement(found.group(1) == null ? found.group(2) : found.group(1)));
        }

        /**
         * Returns what the arguments of a method are compared with.
         *
         * @param method the method
         * @param repository its repository
         * @param shards the shards of the repository's entity
         * @return what is known: nothing for a text that a rewriter changes, or that cannot be parsed, which Spring Data reports
         */
        List<ArgumentUse> uses(Method method, RepositoryInformation repository, EntityShards shards) {
            if (rewriter != null) {
                return List.of();
            }
            Parameters<?, ?> parameters = new DefaultParameters(ParametersSource.of(repository, method));
            List<ArgumentUse> uses = new ArrayList<>();
            for (ParameterUse use : parameterUses(method, shards)) {
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
         * @param uses what the arguments are compared with
         * @return empty if its conditions do, so that it is executed there, whatever scope is open
         */
        Optional<String> undetermined(EntityShards shards, List<ArgumentUse> uses) {
            if (isNative) {
                return uses.stream().anyMatch(use -> use.decides() || use.decidesByList())
                        ? Optional.empty()
                        : Optional.of(NEITHER);
            }
            try {
                return shards.undetermined(text);
            } catch (IllegalArgumentException unreadable) {
                return Optional.of(NEITHER); // Spring Data reports it
            }
        }

        private List<ParameterUse> parameterUses(Method method, EntityShards shards) {
            if (isNative) {
                return shards.parametersOfNative(text);
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
}
