package io.github.shardedid.operations.internal;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says in one line, which may be logged, what went wrong: a secret in a URL, in settings or in a statement is masked. */
public final class FailureReason {
    /**
     * A name, what separates it from its value, and the value: quoted (twice, if within a literal), or to the next space or parameter.
     * A quote that is not closed reaches to the end.
     */
    private static final Pattern SECRET = Pattern.compile(
            "(?is)((?:passw(?:or)?d|passphrase|pwd|passfile)[\\w.-]*(?:[\"']?\\s*(?:[=:]|%3D)\\s*|\\s+(?=E?'|[\"$]))"
                    + "|(?:secret|token|credential|api[_-]?key|private[_-]?key|(?:factory|executor)arg|\\boptions)[\\w.-]*"
                    + "(?:[\"']?\\s*(?:=|%3D)|[\"']\\s*:|\\s+(?=E?'))\\s*)"
                    + "(?:''.*?(?:''|$)|E?'(?:[^'\\\\]|\\\\.|'')*+(?:'|$)|\"(?:[^\"\\\\]|\\\\.|\"\")*+(?:\"|$)|(\\$\\w*\\$).*?(?:\\2|$)"
                    + "|(?:\\\\+.|[^&\\s])+)");

    private static final Pattern USER_INFO = Pattern.compile("//[^/@\\s]*:\\S*@");

    /** The message of HikariCP, which waits for a connection, and that of PostgreSQL's driver, which waits for the server. */
    private static final Pattern POOL = Pattern.compile("request timed out after \\d+ms");

    private static final String DRIVER = "Connection attempt timed out";

    private FailureReason() {}

    /**
     * Says why a connection could not be made: a timeout is called so, with its length and the setting that limits it.
     *
     * @param nanos how long it was tried
     */
    public static String ofConnecting(Throwable failure, long nanos) {
        String setting = limit(failure);
        return setting == null
                ? of(failure)
                : "timed out after " + Math.max(1, Math.round(nanos / 1e9)) + " s, the limit of " + setting + " ("
                        + of(failure) + ")";
    }

    /** Returns the setting by which a connection was given up; null if it failed for another reason. */
    private static @Nullable String limit(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage());
        if (cause instanceof SocketTimeoutException) {
            return "the driver's connectTimeout";
        }
        if (message.contains(DRIVER)) {
            return "the pool's connection-timeout, or of the driver's loginTimeout";
        }
        return POOL.matcher(message).find() ? "the pool's connection-timeout" : null;
    }

    /** Returns the innermost message, since pools wrap the exceptions of the driver. */
    public static String of(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() instanceof SQLException next) {
            cause = next;
        }
        String message = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        String line = USER_INFO.matcher(message.strip().replace('\n', ' ')).replaceAll("//***@");
        return SECRET.matcher(line).replaceAll("$1***");
    }
}
