package io.github.shardedid.spring.web;

import io.github.shardedid.spring.data.PartialWriteException;
import java.util.Set;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.codec.EncodingException;
import org.springframework.http.HttpMethod;
import org.springframework.http.converter.HttpMessageNotWritableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.server.ServerWebInputException;

/** Exceptions with a status of their own, whatever their cause. Spring calls an advice for causes at any depth. */
final class OtherStatus {
    private static final Set<HttpMethod> READS =
            Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE);

    private OtherStatus() {}

    /**
     * Throws what a request failed with, which Spring then handles as without the advice, if the cause does not tell the status.
     *
     * @param thrown what the request failed with
     * @param cause the same, or one of its causes
     */
    static void check(Exception thrown, Exception cause) throws Exception {
        check(thrown, cause, HttpMethod.POST);
    }

    /** The same, for a status that says that the request may come again. */
    static void check(Exception thrown, Exception cause, HttpMethod method) throws Exception {
        for (Throwable each = thrown; each != null && each != cause; each = each.getCause()) {
            // Some rows are written. The causes are those of the others.
            if (each instanceof PartialWriteException
                    || isOfApplication(each)
                    || (isOfResponse(each) && !isRead(method))) {
                throw thrown;
            }
        }
    }

    /** Whether requests of a method change nothing. */
    static boolean isRead(HttpMethod method) {
        return READS.contains(method);
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
