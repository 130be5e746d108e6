package io.github.shardedid.spring.id;

import io.github.shardedid.hibernate.AssociationAcrossShardsException;
import io.github.shardedid.hibernate.MissingShardKeyException;
import io.github.shardedid.hibernate.ShardKeyMismatchException;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.spring.data.PartialWriteException;
import io.github.shardedid.topology.UnknownShardException;
import io.github.shardedid.topology.UnownedShardException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.codec.EncodingException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ServerWebInputException;

/**
 * Responds with a problem of RFC 9457 to requests that failed for their ids or their shards:
 *
 * <ol>
 *   <li>A status of the client's errors if the ids cannot be used as the request does, which was refused before anything was sent to a
 *       database.
 *   <li>503 and {@code Retry-After} if the shard is not available, but others are.
 * </ol>
 *
 * <p>What has a status of its own, such as a {@code ResponseStatusException} of the application, keeps it; so does a {@code
 * PartialWriteException}, of which some rows were written. The problem names no shard and no database; the log has the message of the
 * exception. Runs after the application's own advice.
 */
@RestControllerAdvice
public final class FailedRequestAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(FailedRequestAdvice.class);
    /** A database that is known to be down is tried again all the time. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private static final Set<HttpMethod> READS =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    /** Creates the advice. */
    public FailedRequestAdvice() {}

    /**
     * Handles a request whose ids cannot be used, also if the exception is the cause of another one.
     *
     * @param thrown what the request failed with
     * @return the problem
     * @throws Exception the given one, if it has a status of its own
     */
    @ExceptionHandler({
        AssociationAcrossShardsException.class,
        MalformedIdException.class,
        MissingShardKeyException.class,
        ShardKeyMismatchException.class,
        UnknownShardException.class
    })
    public ProblemDetail refused(Exception thrown) throws Exception {
        for (Throwable cause : causes(thrown).toList()) {
            if (cause instanceof MalformedIdException malformed) {
                check(thrown, cause, HttpMethod.POST);
                return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, malformed.getMessage());
            } else if (cause instanceof AssociationAcrossShardsException) {
                // As for a reference that a foreign key refuses.
                return problem(
                        HttpStatus.CONFLICT,
                        "These resources are stored apart, and cannot refer to each other.",
                        thrown,
                        cause);
            } else if (cause instanceof ShardKeyMismatchException) {
                return problem(
                        HttpStatus.CONFLICT,
                        "The resource is stored with its owner, which cannot change.",
                        thrown,
                        cause);
            } else if (cause instanceof MissingShardKeyException) {
                return problem(
                        HttpStatus.BAD_REQUEST,
                        "The request lacks the value by which the resource is stored.",
                        thrown,
                        cause);
            } else if (cause instanceof UnknownShardException) {
                return problem(HttpStatus.NOT_FOUND, "There is no resource with this id.", thrown, cause);
            }
        }
        throw thrown;
    }

    private static ProblemDetail problem(HttpStatus status, String detail, Exception thrown, Throwable refused)
            throws Exception {
        check(thrown, refused, HttpMethod.POST);
        LOG.info("A request was answered with {}: {}", status, refused.getMessage());
        return ProblemDetail.forStatusAndDetail(status, detail);
    }

    /**
     * Handles a request to a shard that is not available, also if the exception is the cause of another one. A lost connection counts
     * for reads only: what a write has done may have to be found out.
     *
     * @param thrown what the request failed with
     * @param method the request's method
     * @return the problem
     * @throws Exception the given one, if it has a status of its own, the response to a write could not be written, or the request may
     *     have written
     */
    @ExceptionHandler({
        ConnectionLostException.class,
        DatabaseUnavailableException.class,
        ShardFencedException.class,
        UnownedShardException.class
    })
    public ResponseEntity<ProblemDetail> unavailable(Exception thrown, HttpMethod method) throws Exception {
        Throwable unavailable = causes(thrown)
                .filter(each -> each instanceof ConnectionLostException
                        || each instanceof DatabaseUnavailableException
                        || each instanceof ShardFencedException
                        || each instanceof UnownedShardException)
                .findFirst()
                .orElse(thrown);
        check(thrown, unavailable, method);
        if (unavailable instanceof ConnectionLostException && !READS.contains(method)) {
            throw thrown;
        }
        Duration retryAfter = unavailable instanceof ShardFencedException fenced ? fenced.retryAfter() : RETRY_AFTER;
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter.toSeconds()))
                .body(ProblemDetail.forStatusAndDetail(
                        HttpStatus.SERVICE_UNAVAILABLE, "A part of the data is not available. Try again later."));
    }

    private static Stream<Throwable> causes(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause);
    }

    /**
     * Throws what a request failed with, which Spring then handles as without the advice, if the cause does not determine the status:
     * Spring calls an advice for causes at any depth.
     */
    private static void check(Exception thrown, Throwable cause, HttpMethod method) throws Exception {
        for (Throwable each = thrown; each != null && each != cause; each = each.getCause()) {
            // Some rows are written. The causes are those of the others.
            if (each instanceof PartialWriteException
                    || isOfApplication(each)
                    || (isOfResponse(each) && !READS.contains(method))) {
                throw thrown;
            }
        }
    }

    /** While the response was written, so that the client has made no mistake; what the request wrote may be committed. */
    private static boolean isOfResponse(Throwable failure) {
        return failure instanceof HttpMessageNotWritableException || failure instanceof EncodingException;
    }

    private static boolean isOfApplication(Throwable failure) {
        boolean status = failure instanceof ErrorResponse
                || AnnotatedElementUtils.hasAnnotation(failure.getClass(), ResponseStatus.class);
        // With this one, WebFlux answers what it cannot read.
        return status && !(failure instanceof ServerWebInputException);
    }
}
