package io.github.shardedid.example.problem;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** The row conflicts with an existing one; status 409. */
public class ConflictException extends ErrorResponseException {
    /**
     * Creates the exception.
     *
     * @param what the detail of the response
     * @param cause the exception of the database
     */
    public ConflictException(String what, Throwable cause) {
        super(HttpStatus.CONFLICT, ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, what), cause);
    }
}
