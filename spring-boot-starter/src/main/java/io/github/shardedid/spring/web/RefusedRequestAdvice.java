package io.github.shardedid.spring.web;

import io.github.shardedid.hibernate.AssociationAcrossShardsException;
import io.github.shardedid.hibernate.MissingShardKeyException;
import io.github.shardedid.hibernate.ShardKeyMismatchException;
import io.github.shardedid.topology.UnknownShardException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Responds with a status of the client's errors and a problem to ids that cannot be used as the request does, which was refused before
 * anything was sent to a database. What has a status of its own, such as a {@code ResponseStatusException} of the application, keeps it;
 * so does a {@code PartialWriteException}, of which some rows were written. The log has the exception's message; the problem names no shard. Runs after the application's own
 * advice.
 */
@RestControllerAdvice
public final class RefusedRequestAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedRequestAdvice.class);

    /** Creates the advice. */
    public RefusedRequestAdvice() {}

    /**
     * Handles the exception, also as the cause of another one: status 409, as for a reference that a foreign key refuses.
     *
     * @param refused names the two rows
     * @param thrown what the request failed with: the same exception, or one that it caused
     * @return the problem
     * @throws Exception the given one, if it has a status of its own
     */
    @ExceptionHandler(AssociationAcrossShardsException.class)
    public ProblemDetail refused(AssociationAcrossShardsException refused, Exception thrown) throws Exception {
        OtherStatus.check(thrown, refused);
        return problem(
                HttpStatus.CONFLICT, "These resources are stored apart, and cannot refer to each other.", refused);
    }

    /**
     * Handles the exception, also as the cause of another one: status 409.
     *
     * @param refused names the row and its shard key
     * @param thrown what the request failed with: the same exception, or one that it caused
     * @return the problem
     * @throws Exception the given one, if it has a status of its own
     */
    @ExceptionHandler(ShardKeyMismatchException.class)
    public ProblemDetail refused(ShardKeyMismatchException refused, Exception thrown) throws Exception {
        OtherStatus.check(thrown, refused);
        return problem(HttpStatus.CONFLICT, "The resource is stored with its owner, which cannot change.", refused);
    }

    /**
     * Handles the exception, also as the cause of another one: status 400.
     *
     * @param refused names the shard key that has no value
     * @param thrown what the request failed with: the same exception, or one that it caused
     * @return the problem
     * @throws Exception the given one, if it has a status of its own
     */
    @ExceptionHandler(MissingShardKeyException.class)
    public ProblemDetail refused(MissingShardKeyException refused, Exception thrown) throws Exception {
        OtherStatus.check(thrown, refused);
        return problem(HttpStatus.BAD_REQUEST, "The request lacks the value by which the resource is stored.", refused);
    }

    /**
     * Handles the exception, also as the cause of another one: status 404.
     *
     * @param refused names the id that no row can have
     * @param thrown what the request failed with: the same exception, or one that it caused
     * @return the problem
     * @throws Exception the given one, if it has a status of its own
     */
    @ExceptionHandler(UnknownShardException.class)
    public ProblemDetail refused(UnknownShardException refused, Exception thrown) throws Exception {
        OtherStatus.check(thrown, refused);
        return problem(HttpStatus.NOT_FOUND, "There is no resource with this id.", refused);
    }

    private static ProblemDetail problem(HttpStatus status, String detail, Exception refused) {
        LOG.info("A request was answered with {}: {}", status, refused.getMessage());
        return ProblemDetail.forStatusAndDetail(status, detail);
    }
}
