package io.github.shardedid.boot.finders;

import io.github.shardedid.test.TestDatabase;
import jakarta.persistence.EntityManager;
import java.util.Map;
import java.util.function.Supplier;
import org.hibernate.SessionFactory;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.generator.Assigned;
import org.hibernate.mapping.SimpleValue;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactory;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The repositories, with shards or on one database without. */
record People(
        PersonRepository persons, EssayRepository essays, EntityManager entities, TransactionTemplate transactions) {
    private static final String UNIQUE =
            """
            CREATE UNIQUE INDEX ON person (login);
            CREATE UNIQUE INDEX ON person (lower(email));
            CREATE UNIQUE INDEX ON person (badge);
            CREATE UNIQUE INDEX ON essay (site, slug);
            """;

    static People sharded(ApplicationContext context) {
        return new People(
                context.getBean(PersonRepository.class),
                context.getBean(EssayRepository.class),
                context.getBean(EntityManager.class),
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class)));
    }

    /** The application assigns the ids, which the other side has made. */
    static People plain(SessionFactory factory) {
        EntityManager entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
        JpaRepositoryFactory repositories = new JpaRepositoryFactory(entities);
        return new People(
                repositories.getRepository(PersonRepository.class),
                repositories.getRepository(EssayRepository.class),
                entities,
                new TransactionTemplate(new JpaTransactionManager(factory)));
    }

    static SessionFactory plainFactory(TestDatabase database, String tables) {
        database.execute(tables.replaceAll(" DEFAULT next_id\\('\\w+'\\)", "") + UNIQUE);
        MetadataSources sources = new MetadataSources(new StandardServiceRegistryBuilder()
                .applySettings(Map.of("hibernate.connection.datasource", database.dataSource()))
                .build());
        sources.addAnnotatedClasses(Person.class, Essay.class);
        Metadata metadata = withoutShards(sources);
        for (Class<?> entity : new Class<?>[] {Person.class, Essay.class}) {
            ((SimpleValue) metadata.getEntityBinding(entity.getName()).getIdentifier())
                    .setCustomIdGeneratorCreator(context -> new Assigned());
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

    <T extends @Nullable Object> T inTransaction(Supplier<T> work) {
        return transactions.execute(status -> work.get());
    }
}
