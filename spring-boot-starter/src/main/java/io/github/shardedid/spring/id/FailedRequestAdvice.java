package io.github.shardedid.spring.id;

import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.routing.DatabaseUnavailableException;
import io.github.shardedid.routing.ShardFencedException;
import io.github.shardedid.topology.UnownedShardException;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers requests whose ids are malformed with 400, and those for a shard that is not available with 503 and {@code Retry-After},
 * also if such an exception is a cause. What has a status of its own keeps it.
 */
@RestControllerAdvice
public final class FailedRequestAdvice {
    private static final String RETRY_AFTER_SECONDS = "5";

    /** Creates the advice. */
    public FailedRequestAdvice() {}

    @ExceptionHandler(MalformedIdException.class)
    ResponseEntity<ProblemDetail> malformed(Exception thrown) throws Exception {
        return problem(thrown, HttpStatus.BAD_REQUEST, "An id is malformed.");
    }

    @ExceptionHandler({DatabaseUnavailableException.class, ShardFencedException.class, UnownedShardException.class})
    ResponseEntity<ProblemDetail> unavailable(Exception thrown) throws Exception {
        return problem(thrown, HttpStatus.SERVICE_UNAVAILABLE, "A part of the data is not available. Try again later.");
    }

    /** Spring then handles what is thrown as without the advice. After a response was begun, the client has made no mistake. */
    private static ResponseEntity<ProblemDetail> problem(Exception thrown, HttpStatus status, String detail)
            throws Exception {
        if (thrown instanceof ErrorResponse
                || thrown instanceof HttpMessageNotWritableException
                || AnnotatedElementUtils.hasAnnotation(thrown.getClass(), ResponseStatus.class)) {
            throw thrown;
        }
        ResponseEntity.BodyBuilder answer = ResponseEntity.status(status);
        if (status.is5xxServerError()) {
            answer.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return answer.body(ProblemDetail.forStatusAndDetail(status, detail));
    }
}
