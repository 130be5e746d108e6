package io.github.shardedid.hibernate.internal.foreign;

import java.io.Serializable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.hibernate.ObjectNotFoundException;
import org.hibernate.StatelessSession;
import org.hibernate.TransientObjectException;
import org.hibernate.engine.internal.ForeignKeys;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.type.BasicType;
import org.hibernate.type.descriptor.WrapperOptions;
import org.hibernate.type.spi.TypeConfiguration;
import org.hibernate.type.spi.TypeConfigurationAware;
import org.hibernate.usertype.ParameterizedType;
import org.hibernate.usertype.UserType;
import org.jspecify.annotations.Nullable;

/** A reference to a row as a value of a collection: its id in the column, an entity or lazy proxy in Java. Hibernate creates it. */
public final class RowReference implements UserType<Object>, ParameterizedType, TypeConfigurationAware {
    static final String ENTITY = "entity";
    static final String CLASS = "class";
    static final String ID_TYPE = "id-type";
    static final String GLOBAL = "global";

    private String entityName = "";
    private Class<Object> entityClass = Object.class;
    private @Nullable BasicType<Object> idType;
    private boolean global;
    private @Nullable TypeConfiguration types;

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

    /** Whether the rows are in the global database. They are read with the collection, as Hibernate reads them. */
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
}
