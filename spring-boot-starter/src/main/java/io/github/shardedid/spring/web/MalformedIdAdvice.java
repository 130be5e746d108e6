package io.github.shardedid.spring.web;

import io.github.shardedid.id.MalformedIdException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Answers what is no id with 400 and a problem that says what would be one: in a parameter, in JSON, or where a controller itself
 * met it. Comes after the application's own advice.
 */
@RestControllerAdvice
public final class MalformedIdAdvice {
    /** Creates the advice. */
    public MalformedIdAdvice() {}

    /**
     * Answers the exception, also if it is the cause of another one.
     *
     * @param malformed names the value
     * @return the problem
     */
    @ExceptionHandler
    public ProblemDetail malformed(MalformedIdException malformed) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, malformed.getMessage());
    }
}
