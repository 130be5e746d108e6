package io.github.shardedid.hibernate;

import io.github.shardedid.test.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.generator.Assigned;
import org.hibernate.mapping.SimpleValue;
import org.jspecify.annotations.Nullable;

/** The same entities on one database without shards: what random work on them does there is what it has to do with shards. */
public final class PlainHibernate {
    private PlainHibernate() {}

    /**
     * A session factory without shards.
     *
     * @param assigned the entities with a sharded id, which the application assigns here
     */
    public static SessionFactory on(
            TestDatabase database, Map<String, Object> settings, Class<?>[] entities, List<Class<?>> assigned) {
        MetadataSources sources = new MetadataSources(new StandardServiceRegistryBuilder()
                .applySettings(settings)
                .applySetting("hibernate.connection.datasource", database.dataSource())
                .build());
        sources.addAnnotatedClasses(entities);
        Metadata metadata = withoutShards(sources);
        for (Class<?> entity : assigned) {
            SimpleValue id =
                    (SimpleValue) metadata.getEntityBinding(entity.getName()).getIdentifier();
            id.setCustomIdGeneratorCreator(context -> new Assigned());
        }
        return metadata.buildSessionFactory();
    }

    /** As ahead of time, when there is no data source; the generators are replaced afterwards. */
    private static Metadata withoutShards(MetadataSources sources) {
        System.setProperty("spring.aot.processing", "true");
        try {
            return sources.buildMetadata();
        } finally {
            System.clearProperty("spring.aot.processing");
        }
    }

    /** What comes of some work: the text of its result, or the simple name of its exception. */
    public static String outcome(Supplier<? extends @Nullable Object> work) {
        try {
            return String.valueOf(work.get());
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }
}
