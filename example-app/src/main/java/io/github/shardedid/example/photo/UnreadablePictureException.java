package io.github.shardedid.example.photo;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/** The uploaded file is not a picture in a supported format; status 415. */
public class UnreadablePictureException extends ErrorResponseException {
    UnreadablePictureException(String what, @Nullable Throwable cause) {
        super(
                HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                ProblemDetail.forStatusAndDetail(HttpStatus.UNSUPPORTED_MEDIA_TYPE, what),
                cause);
    }
}
