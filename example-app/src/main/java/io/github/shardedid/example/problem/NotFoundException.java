package io.github.shardedid.example.problem;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** The row does not exist; status 404. */
public class NotFoundException extends ErrorResponseException {
    /**
     * Creates the exception.
     *
     * @param what the detail of the response
     */
    public NotFoundException(String what) {
        super(HttpStatus.NOT_FOUND, ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, what), null);
    }
}
