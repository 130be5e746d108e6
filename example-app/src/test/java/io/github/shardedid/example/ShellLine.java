package io.github.shardedid.example;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One of the printed lines, understood without a shell: {@code name=$(curl … | cut …)} or {@code curl …}.
 *
 * @param variable what the answer's fourth part between quotes is assigned to
 * @param url with {@code $names} in it
 * @param body what is posted, with {@code '$names'} in it
 */
record ShellLine(@Nullable String variable, String url, @Nullable String body) {
    private static final Pattern LINE = Pattern.compile("(?:(?<variable>\\w+)=\\$\\()?curl -s (?<url>\\S+)"
            + "(?: -H 'Content-Type: application/json' -d '(?<body>.*)')?(?: \\| cut -d'\"' -f4\\))?");

    static ShellLine parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("Only curl lines of the usual form are understood: " + line);
        }
        String url = matcher.group("url").replaceAll("['\"]", "");
        return new ShellLine(matcher.group("variable"), url, matcher.group("body"));
    }

    /** Sends the request and returns the answer's body, or nothing if it went into the variable. */
    String run(Map<String, String> variables) {
        String path = fill(url.substring(url.indexOf('/', "http://".length())), variables);
        Api api = new Api(url.substring(0, url.indexOf('/', "http://".length())));
        String answer = (body == null ? api.get(path) : api.post(path, fill(body.replace("'", ""), variables)))
                .body()
                .toString();
        if (variable == null) {
            return answer;
        }
        variables.put(variable, answer.split("\"", -1)[3]);
        return "";
    }

    private static String fill(String text, Map<String, String> variables) {
        String filled = text;
        for (Map.Entry<String, String> one : variables.entrySet()) {
            filled = filled.replace("$" + one.getKey(), one.getValue());
        }
        return filled;
    }
}
