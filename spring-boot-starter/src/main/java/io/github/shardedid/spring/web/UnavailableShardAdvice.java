package io.github.shardedid.spring.web;

import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.topology.UnownedShardException;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Responds with status 503, {@code Retry-After} and a problem if the shard of a request is not available, but others are. The problem
 * names no database. What has a status of its own keeps it, and so does a {@code PartialWriteException}. Runs after the application's own advice.
 */
@RestControllerAdvice
public final class UnavailableShardAdvice {
    /** A database that is known to be down is tried again all the time. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    /** Creates the advice. */
    public UnavailableShardAdvice() {}

    /**
     * Handles the exception, also as the cause of another one.
     *
     * @param fenced the shard has been fenced for too long
     * @param thrown what the request failed with: the same exception, or one that it caused
     * @param method the request's method
     * @return the problem
     * @throws Exception the given one, if it has a status of its own, or the response to a write could not be written
     */
    @ExceptionHandler(ShardFencedException.class)
    public ResponseEntity<ProblemDetail> fenced(ShardFencedException fenced, Exception thrown, HttpMethod method)
            throws Exception {
        OtherStatus.check(thrown, fenced, method);
        return unavailable(fenced.retryAfter());
    }

    /**
     * Handles the exception, also as the cause of another one.
     *
     * @param unavailable the shard's database cannot be reached
     * @param thrown what the request failed with: the same exception, or one that it caused
     * @param method the request's method
     * @return the problem
     * @throws Exception the given one, if it has a status of its own, or the response to a write could not be written
     */
    @ExceptionHandler(DatabaseUnavailableException.class)
    public ResponseEntity<ProblemDetail> unavailable(
            DatabaseUnavailableException unavailable, Exception thrown, HttpMethod method) throws Exception {
        OtherStatus.check(thrown, unavailable, method);
        return unavailable(RETRY_AFTER);
    }

    /**
     * Handles the exception, also as the cause of another one.
     *
     * @param unowned the database that owned the shard cannot be reached, or owns it no longer
     * @param thrown what the request failed with: the same exception, or one that it caused
     * @param method the request's method
     * @return the problem
     * @throws Exception the given one, if it has a status of its own, or the response to a write could not be written
     */
    @ExceptionHandler(UnownedShardException.class)
    public ResponseEntity<ProblemDetail> unowned(UnownedShardException unowned, Exception thrown, HttpMethod method)
            throws Exception {
        OtherStatus.check(thrown, unowned, method);
        return unavailable(RETRY_AFTER);
    }

    /**
     * Handles the exception, also as the cause of another one, for a request that reads: what a write has done may have to be found out.
     *
     * @param lost the connection to the shard's database broke
     * @param thrown what the request failed with: the same exception, or one that it caused
     * @param method the request's method
     * @return the problem
     * @throws Exception the given one, if it has a status of its own, or the request may have written
     */
    @ExceptionHandler(ConnectionLostException.class)
    public ResponseEntity<ProblemDetail> lost(ConnectionLostException lost, Exception thrown, HttpMethod method)
            throws Exception {
        OtherStatus.check(thrown, lost, method);
        if (!OtherStatus.isRead(method)) {
            throw thrown;
        }
        return unavailable(RETRY_AFTER);
    }

    private static ResponseEntity<ProblemDetail> unavailable(Duration retryAfter) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(retryAfter.toSeconds()))
                .body(ProblemDetail.forStatusAndDetail(
                        HttpStatus.SERVICE_UNAVAILABLE, "A part of the data is not available. Try again later."));
    }
}
