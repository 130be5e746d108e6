package io.github.shardedid.hibernate;

import java.sql.SQLException;
import java.util.List;
import org.hibernate.exception.ConstraintViolationException;
import org.jspecify.annotations.Nullable;

/**
 * A row was to have a value that is {@linkplain UniqueAcrossShards unique over all shards} and belongs to another row. The row was not sent. Roll
 * back the transaction. A retry fails as well, until the other row is deleted or has another value.
 *
 * <p>An exception of Hibernate, as a unique index of the database would cause, with SQLState 23505. Spring translates it to {@code
 * DuplicateKeyException}.
 */
public class DuplicateValueException extends ConstraintViolationException {
    private static final long serialVersionUID = 1L;

    private static final String UNIQUE_VIOLATION = "23505";

    private final String entityName;
    private final transient List<String> attributes;
    private final @Nullable Long owner;

    /**
     * Creates the exception.
     *
     * @param message the entity, the attributes, the id of the owner and its shard, and what to do
     * @param entityName the name of the entity of the row that was not sent
     * @param attributes the paths of the attributes
     * @param constraint the name of the claims, as {@code sharded_id_claim} has it
     * @param owner the id of the row that has the value; null if it is not known
     */
    public DuplicateValueException(
            String message, String entityName, List<String> attributes, String constraint, @Nullable Long owner) {
        super(message, new Violation(message), ConstraintKind.UNIQUE, constraint);
        ((Violation) getSQLException()).exception = this;
        this.entityName = entityName;
        this.attributes = List.copyOf(attributes);
        this.owner = owner;
    }

    /**
     * The exception of which an integration has the SQL exception only.
     *
     * @param failure any SQL exception
     * @return null if it is not that of such an exception
     */
    public static @Nullable DuplicateValueException of(SQLException failure) {
        return failure instanceof Violation violation ? violation.exception : null;
    }

    /**
     * The entity of the row that was not sent.
     *
     * @return the name in Hibernate; never null
     */
    public String entityName() {
        return entityName;
    }

    /**
     * The attributes whose values are those of another row.
     *
     * @return one or more paths, such as {@code email}
     */
    public List<String> attributes() {
        return attributes == null ? List.of() : attributes; // null after deserialization
    }

    /**
     * The row that has the value.
     *
     * @return its id, which names its shard; null if it is not known
     */
    public @Nullable Long owner() {
        return owner;
    }

    /** What a violation of a unique index would be. */
    private static final class Violation extends SQLException {
        private static final long serialVersionUID = 1L;

        private @Nullable DuplicateValueException exception;

        Violation(String message) {
            super(message, UNIQUE_VIOLATION);
        }
    }
}
