package io.github.shardedid.example.problem;

import io.github.shardedid.hibernate.KeyRows.RowsRefusedException;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.topology.UnknownShardException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Converts exceptions to problem details (RFC 9457). */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

    private static final OutageLog OUTAGES = new OutageLog(LOG::warn, System::nanoTime);

    @ExceptionHandler
    ProblemDetail malformedId(MalformedIdException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail unknownShard(UnknownShardException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail rowsRefused(RowsRefusedException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, e.getMessage());
    }

    @ExceptionHandler
    ProblemDetail anythingElse(Exception e) {
        String unavailability = DatabaseFailures.unavailability(e);
        if (unavailability != null) {
            OUTAGES.add(unavailability);
            return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, unavailability);
        }
        LOG.error("A request failed", e);
        return ProblemDetail.forStatusAndDetail(
                HttpStatus.INTERNAL_SERVER_ERROR, "Internal error. See the log of the application for details.");
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoResourceFoundException(
            NoResourceFoundException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                status,
                "There is nothing at /" + e.getResourcePath()
                        + ". The page /operations shows the requests of the API.");
        return handleExceptionInternal(e, problem, headers, status, request);
    }

    /** Adds the invalid fields to the response. */
    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Map<String, String> errors = new TreeMap<>();
        e.getFieldErrors().forEach(error -> errors.put(error.getField(), String.valueOf(error.getDefaultMessage())));
        ProblemDetail problem = e.getBody();
        problem.setDetail("Invalid fields: " + errors);
        problem.setProperty("errors", errors);
        return handleExceptionInternal(e, problem, headers, status, request);
    }
}
