package io.github.shardedid.example.problem;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** The row cannot be made because there is one like it; status 409. */
public class ConflictException extends ErrorResponseException {
    /**
     * Creates the exception.
     *
     * @param what what is there already, for people
     * @param cause what the database said
     */
    public ConflictException(String what, Throwable cause) {
        super(HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, what), cause);
    }
}
