package io.github.shardedid.operations.internal;

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

    private FailureReason() {}

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

    /**
     * Returns whether work was interrupted, and can simply go on: the process stops, or has lost a connection, or gets none. An interrupted
     * move, plan or run of migrations stays in its journal as if the process had died, so that another process continues it. Any other
     * failure is an obstacle, and is recorded there.
     */
    public static boolean isInterruption(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof InterruptedException || (at instanceof SQLException sql && isLoss(sql.getSQLState()))) {
                return true;
            }
        }
        return false;
    }

    /** 57P01 to 57P03: the server stops or starts. 53300: all of its connections are in use. */
    private static boolean isLoss(@Nullable String state) {
        return state != null && (state.startsWith("08") || state.startsWith("57P0") || state.equals("53300"));
    }
}
