package io.github.shardedid.hibernate.internal.queries;

import io.github.shardedid.hibernate.ForeignShardException;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.query.hql.HqlTranslator;
import org.hibernate.query.hql.internal.StandardHqlTranslator;
import org.hibernate.query.sqm.TerminalPathException;
import org.hibernate.query.sqm.UnknownPathException;
import org.hibernate.query.sqm.internal.SqmCreationOptionsStandard;
import org.hibernate.query.sqm.tree.SqmStatement;
import org.jspecify.annotations.Nullable;

/**
 * Translates HQL as Hibernate does, and says why if a query asks for an attribute of the elements of a collection of references: to
 * Hibernate such an element is a value without attributes. Hibernate creates it.
 */
public final class HqlOfReferences implements HqlTranslator {
    private static final Pattern NOT_OF_A_NAME = Pattern.compile("[^\\w$]+");

    private volatile @Nullable SessionFactoryImplementor factory;
    private volatile @Nullable HqlTranslator standard;

    /** Gives a new factory to its translator, before it translates anything. */
    public static void connect(SessionFactoryImplementor factory) {
        if (factory.getSessionFactoryOptions().getCustomHqlTranslator() instanceof HqlOfReferences translator) {
            translator.factory = factory;
        }
    }

    @Override
    public <R> SqmStatement<R> translate(String hql, @Nullable Class<R> resultType) {
        SessionFactoryImplementor connected = Objects.requireNonNull(factory, "connect has not been called");
        try {
            return standard(connected).translate(hql, resultType);
        } catch (UnknownPathException e) {
            List<String> collections =
                    e.getCause() instanceof TerminalPathException ? collectionsIn(hql, connected) : List.of();
            throw collections.isEmpty() ? e : refused(String.join(", ", collections), e);
        }
    }

    /** Hibernate creates its own after it has connected this one. */
    private HqlTranslator standard(SessionFactoryImplementor connected) {
        HqlTranslator translator = standard;
        if (translator == null) {
            HqlTranslator ofDialect = connected.getJdbcServices().getDialect().getHqlTranslator();
            translator = ofDialect != null
                    ? ofDialect
                    : new StandardHqlTranslator(
                            connected.getQueryEngine().getCriteriaBuilder(),
                            new SqmCreationOptionsStandard(connected.getSessionFactoryOptions()));
            standard = translator;
        }
        return translator;
    }

    /** The collections of references that a query names: one of them is where its path ends. */
    private static List<String> collectionsIn(String hql, SessionFactoryImplementor factory) {
        Set<String> words = NOT_OF_A_NAME.splitAsStream(hql).collect(Collectors.toSet());
        ShardedMappings mappings = Sharding.require(factory).mappings();
        return mappings.all().stream()
                .flatMap(mapping -> mapping.foreign().entrySet().stream()
                        .filter(foreign -> foreign.getValue().isEmpty())
                        .map(Map.Entry::getKey)
                        .filter(path -> words.contains(path.substring(path.lastIndexOf('.') + 1)))
                        .filter(path -> !isInherited(mapping, path, mappings))
                        .map(path -> mapping.entityName() + "." + path))
                .sorted()
                .toList();
    }

    private static boolean isInherited(ShardedMapping mapping, String path, ShardedMappings mappings) {
        return mappings.of(mapping.javaClass().getSuperclass())
                .filter(parent -> parent.foreign().containsKey(path))
                .isPresent();
    }

    private static ForeignShardException refused(String collections, UnknownPathException cause) {
        return new ForeignShardException(
                "The rows of " + collections + " are in other databases, so a query cannot join them and ask for their"
                        + " attributes. Read these rows by a query of their own, and compare the elements with them"
                        + " (:row member of x.rows), or read them through the collection after the query. Nothing was"
                        + " sent. " + cause.getMessage(),
                cause);
    }
}
