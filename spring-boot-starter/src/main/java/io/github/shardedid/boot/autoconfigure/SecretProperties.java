package io.github.shardedid.boot.autoconfigure;

import java.util.regex.Pattern;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;

/** Sanitizes passwords below {@code sharded-id} in actuator endpoints, including those in URLs and pool settings. */
final class SecretProperties implements SanitizingFunction {
    private static final Pattern OURS = Pattern.compile("sharded[._-]?id");
    private static final Pattern SECRET = Pattern.compile("password|secret|placeholders|credentials|token");

    @Override
    public SanitizableData apply(SanitizableData data) {
        String key = data.getLowerCaseKey();
        if (key == null || !OURS.matcher(key).lookingAt() || data.getValue() == null) {
            return data;
        }
        boolean secret = SECRET.matcher(key).find()
                || (data.getValue() instanceof CharSequence text
                        && text.toString().startsWith("jdbc:"));
        return secret ? data.withSanitizedValue() : data;
    }
}
