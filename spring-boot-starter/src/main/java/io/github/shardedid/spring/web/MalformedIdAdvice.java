package io.github.shardedid.spring.web;

import io.github.shardedid.id.MalformedIdException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Responds to a malformed id with status 400 and a problem that describes valid ids: in a parameter, in JSON, or in a controller.
 * Runs after the application's own advice.
 */
@RestControllerAdvice
public final class MalformedIdAdvice {
    /** Creates the advice. */
    public MalformedIdAdvice() {}

    /**
     * Handles the exception, also as the cause of another one.
     *
     * @param malformed names the value
     * @param thrown what the request failed with: the same exception, or one that it caused
     * @return the problem
     * @throws Exception the given one, if it has a status of its own
     */
    @ExceptionHandler(MalformedIdException.class)
    public ProblemDetail malformed(MalformedIdException malformed, Exception thrown) throws Exception {
        OtherStatus.check(thrown, malformed);
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, malformed.getMessage());
    }
}
