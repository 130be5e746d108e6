package io.github.shardedid.hibernate.internal.mapping;

import java.io.Serializable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.hibernate.Hibernate;
import org.hibernate.ObjectNotFoundException;
import org.hibernate.StatelessSession;
import org.hibernate.TransientObjectException;
import org.hibernate.collection.spi.PersistentCollection;
import org.hibernate.engine.internal.ForeignKeys;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.type.BasicType;
import org.hibernate.type.CustomType;
import org.hibernate.type.Type;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.spi.TypeConfiguration;
import org.hibernate.type.spi.TypeConfigurationAware;
import org.hibernate.usertype.ParameterizedType;
import org.hibernate.usertype.UserType;
import org.jspecify.annotations.Nullable;

/** A reference to a row as a value of a collection: its id in the column, an entity or lazy proxy in Java. Hibernate creates it. */
public final class RowReference implements UserType<Object>, ParameterizedType, TypeConfigurationAware {
    private static final String ENTITY = "entity";
    private static final String CLASS = "class";
    private static final String ID_TYPE = "id-type";
    private static final String GLOBAL = "global";

    private String entityName = "";
    private Class<Object> entityClass = Object.class;
    private @Nullable BasicType<Object> idType;
    private boolean global;
    private @Nullable TypeConfiguration types;

    /** Returns the parameters of references to an entity with an id of one column. */
    public static Properties parameters(PersistentClass target, boolean global) {
        Properties parameters = new Properties();
        parameters.put(ENTITY, target.getEntityName());
        parameters.put(CLASS, target.getMappedClass());
        parameters.put(ID_TYPE, (BasicType<?>) target.getIdentifier().getType());
        parameters.put(GLOBAL, global);
        return parameters;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void setParameterValues(Properties parameters) {
        entityName = (String) Objects.requireNonNull(parameters.get(ENTITY));
        entityClass = (Class<Object>) Objects.requireNonNull(parameters.get(CLASS));
        idType = (BasicType<Object>) parameters.get(ID_TYPE);
        global = Boolean.TRUE.equals(parameters.get(GLOBAL));
    }

    private BasicType<Object> idType() {
        return Objects.requireNonNull(idType);
    }

    @Override
    public int getSqlType() {
        return idType().getJdbcType().getDdlTypeCode();
    }

    @Override
    public Class<Object> returnedClass() {
        return entityClass;
    }

    @Override
    public @Nullable Object nullSafeGet(ResultSet row, int position, WrapperOptions options) throws SQLException {
        Object id = idType().getJdbcValueExtractor().extract(row, position, options);
        if (id == null) {
            return null;
        }
        Object reference = reference(id, options.getSession());
        if (global) {
            RowsOfReferences.readAfterQuery(reference);
        }
        return reference;
    }

    /** The row in a session, which reads it when it is first used. A stateless session, whose proxies read nothing, reads it at once. */
    Object reference(Object id, SharedSessionContractImplementor session) {
        boolean atOnce = session instanceof StatelessSession;
        Object row = session.internalLoad(entityName, id, atOnce, false);
        return row == null ? missing(id, session) : row;
    }

    private Object missing(Object id, SharedSessionContractImplementor session) {
        session.getFactory().getEntityNotFoundDelegate().handleEntityNotFound(entityName, id);
        throw new ObjectNotFoundException(entityName, id);
    }

    /**
     * Refuses a row of the global database that is not saved, as Hibernate does. The application chooses most of the ids there, so an
     * id does not mean that there is a row.
     */
    void requireSaved(@Nullable Object row, SharedSessionContractImplementor session) {
        if (global
                && row != null
                && !(row instanceof HibernateProxy)
                && session.getContextEntityIdentifier(row) == null
                && ForeignKeys.isTransient(entityName, row, null, session)) {
            throw new TransientObjectException(
                    "A collection contains the " + entityName + " " + idOf(row)
                            + ", which is not saved. Save it first, in a transaction of its own: it is in the global database.");
        }
    }

    /** Returns whether the rows are in the global database. They are read with the collection, as Hibernate reads them. */
    boolean isGlobal() {
        return global;
    }

    @Override
    public void nullSafeSet(PreparedStatement statement, @Nullable Object value, int position, WrapperOptions options)
            throws SQLException {
        Object id = value == null ? null : idOf(value);
        if (value != null && id == null) {
            throw new TransientObjectException("A collection contains a " + entityName
                    + " of another database without an id. Save it first, in a transaction of its own.");
        }
        idType().getJdbcValueBinder().bind(statement, id, position, options);
    }

    @SuppressWarnings("deprecation") // the only access to the session factory
    @Nullable
    Object idOf(Object entity) {
        return entity instanceof HibernateProxy proxy
                ? proxy.getHibernateLazyInitializer().getInternalIdentifier()
                : Objects.requireNonNull(types)
                        .getSessionFactory()
                        .getMappingMetamodel()
                        .getEntityDescriptor(entityName)
                        .getIdentifier(entity);
    }

    @Override
    public boolean equals(@Nullable Object one, @Nullable Object other) {
        return one == other || (one != null && other != null && Objects.equals(idOf(one), idOf(other)));
    }

    @Override
    public int hashCode(Object value) {
        return Objects.hashCode(idOf(value));
    }

    @Override
    public Object deepCopy(Object value) {
        return value;
    }

    @Override
    public boolean isMutable() {
        return false;
    }

    /** In the second-level cache; {@link ReferenceType} assembles it. */
    @Override
    public @Nullable Serializable disassemble(@Nullable Object value) {
        return value == null ? null : (Serializable) idOf(value);
    }

    @Override
    public @Nullable TypeConfiguration getTypeConfiguration() {
        return types;
    }

    @Override
    public void setTypeConfiguration(TypeConfiguration configuration) {
        types = configuration;
    }

    /** The type of the references in a collection, for what Hibernate does with a session that it does not pass to a {@link RowReference}. */
    public static final class ReferenceType extends CustomType<Object> {
        private static final long serialVersionUID = 1;

        private final transient RowReference references;

        private ReferenceType(RowReference references, TypeConfiguration types) {
            super(references, types);
            this.references = references;
        }

        /** The type of a collection's elements if they are references; else null. */
        public static @Nullable ReferenceType of(Type elements, TypeConfiguration types) {
            return elements instanceof CustomType<?> custom && custom.getUserType() instanceof RowReference references
                    ? new ReferenceType(references, types)
                    : null;
        }

        /** Refuses to write references to rows that are not saved: all of a new collection, or those that have changed. */
        public void requireSaved(
                PersistentCollection<?> collection,
                boolean recreated,
                CollectionPersister persister,
                SharedSessionContractImplementor session) {
            Iterator<?> entries = collection.entries(persister);
            for (int i = 0; entries.hasNext(); i++) {
                Object entry = entries.next();
                if (recreated
                        || collection.needsInserting(entry, i, this)
                        || collection.needsUpdating(entry, i, this)) {
                    references.requireSaved(collection.getElement(entry), session);
                }
            }
        }

        /** From the second-level cache. */
        @Override
        public @Nullable Object assemble(
                @Nullable Serializable id, SharedSessionContractImplementor session, @Nullable Object owner) {
            return id == null ? null : read(id, session);
        }

        /** The row in the session of the merged owner. */
        @Override
        public @Nullable Object replace(
                @Nullable Object detached,
                @Nullable Object managed,
                SharedSessionContractImplementor session,
                Object owner,
                Map<Object, Object> copies) {
            Object id = detached == null ? null : references.idOf(detached);
            return id == null ? detached : read(id, session);
        }

        /** One to a global row is read, since no foreign key refuses one to a row that is not there. */
        private Object read(Object id, SharedSessionContractImplementor session) {
            Object reference = references.reference(id, session);
            if (references.isGlobal()) {
                Hibernate.initialize(reference);
            }
            return reference;
        }
    }
}
