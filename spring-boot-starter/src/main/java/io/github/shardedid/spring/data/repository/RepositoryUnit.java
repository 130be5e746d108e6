package io.github.shardedid.spring.data.repository;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.metamodel.Metamodel;
import jakarta.persistence.metamodel.SingularAttribute;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.springframework.data.jpa.repository.support.JpaMetamodelEntityInformation;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactory;

/** The persistence unit of a repository. Several units may have the same entity class. */
public final class RepositoryUnit {
    private RepositoryUnit() {}

    /**
     * Finds the session factory that a repository uses. Its metamodel has the same instance of the entity's id attribute.
     *
     * @param repositories the factory of the repository
     * @param entity the repository's entity
     * @param factories the application's entity manager factories, all of Hibernate
     * @return the session factory, or empty if it is none of these
     */
    public static Optional<SessionFactory> of(
            JpaRepositoryFactory repositories, Class<?> entity, Supplier<Stream<EntityManagerFactory>> factories) {
        SingularAttribute<?, ?> id = repositories.getEntityInformation(entity).getRequiredIdAttribute();
        try (Stream<EntityManagerFactory> all = factories.get()) {
            return all.map(factory -> factory.unwrap(SessionFactory.class))
                    .filter(factory -> isManaged(entity, factory.getMetamodel()))
                    .filter(factory -> idOf(entity, factory) == id)
                    .findFirst();
        }
    }

    private static boolean isManaged(Class<?> entity, Metamodel metamodel) {
        return metamodel.getManagedTypes().stream().anyMatch(type -> type.getJavaType() == entity);
    }

    /** As Spring Data finds it. */
    private static SingularAttribute<?, ?> idOf(Class<?> entity, SessionFactory factory) {
        return new JpaMetamodelEntityInformation<>(entity, factory.getMetamodel(), factory.getPersistenceUnitUtil())
                .getRequiredIdAttribute();
    }
}
