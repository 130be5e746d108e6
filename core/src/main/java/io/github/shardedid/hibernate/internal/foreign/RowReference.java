package io.github.shardedid.hibernate.internal.foreign;

import java.io.Serializable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Properties;
import org.hibernate.TransientObjectException;
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

    private String entityName = "";
    private Class<Object> entityClass = Object.class;
    private @Nullable BasicType<Object> idType;
    private @Nullable TypeConfiguration types;

    @Override
    @SuppressWarnings("unchecked")
    public void setParameterValues(Properties parameters) {
        entityName = (String) Objects.requireNonNull(parameters.get(ENTITY));
        entityClass = (Class<Object>) Objects.requireNonNull(parameters.get(CLASS));
        idType = (BasicType<Object>) parameters.get(ID_TYPE);
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
        return id == null ? null : reference(id, options.getSession());
    }

    private Object reference(Object id, SharedSessionContractImplementor session) {
        return session.internalLoad(entityName, id, false, false);
    }

    @Override
    public void nullSafeSet(PreparedStatement statement, @Nullable Object value, int position, WrapperOptions options)
            throws SQLException {
        Object id = value == null ? null : idOf(value);
        if (value != null && id == null) {
            throw new TransientObjectException("A collection with @ForeignShard contains a " + entityName
                    + " without an id. Save it first, in a transaction of its own shard.");
        }
        idType().getJdbcValueBinder().bind(statement, id, position, options);
    }

    @SuppressWarnings("deprecation") // the only access to the session factory
    private @Nullable Object idOf(Object entity) {
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

    /** In a cache's key; collections that are cached are refused. */
    @Override
    public @Nullable Serializable disassemble(@Nullable Object value) {
        return value == null ? null : (Serializable) idOf(value);
    }

    /** The row in the session of the merged owner. */
    @Override
    public @Nullable Object replace(@Nullable Object detached, @Nullable Object managed, Object owner) {
        Object id = detached == null ? null : idOf(detached);
        SharedSessionContractImplementor session = MergingSession.current();
        return id == null || session == null ? detached : reference(id, session);
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
