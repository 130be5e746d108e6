package io.github.shardedid.example.problem;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** There is no such row; status 404. */
public class NotFoundException extends ErrorResponseException {
    /**
     * Creates the exception.
     *
     * @param what what there is not, for people
     */
    public NotFoundException(String what) {
        super(HttpStatus.NOT_FOUND, ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, what), null);
    }
}
