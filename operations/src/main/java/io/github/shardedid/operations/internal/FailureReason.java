package io.github.shardedid.operations.internal;

import java.sql.SQLException;
import java.util.regex.Pattern;

/** What went wrong, in one line that may be logged: a password in a URL or a message of the driver is masked. */
public final class FailureReason {
    private static final Pattern SECRET =
            Pattern.compile("(?i)(password|passwd|pwd|sslpassword)(\\s*[=:]\\s*)[^&\\s,;\"']+");
    private static final Pattern USER_INFO = Pattern.compile("//[^/@\\s]*:[^@\\s]*@");

    private FailureReason() {}

    /** The innermost message, since pools wrap the exceptions of the driver. */
    public static String of(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() instanceof SQLException next) {
            cause = next;
        }
        String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        String line = USER_INFO.matcher(message.strip().replace('\n', ' ')).replaceAll("//***@");
        return SECRET.matcher(line).replaceAll("$1$2***");
    }
}
