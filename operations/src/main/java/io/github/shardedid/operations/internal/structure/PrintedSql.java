package io.github.shardedid.operations.internal.structure;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Expressions and views as PostgreSQL prints them. Its major versions print the same one in different ways: since 14
 * {@code (now() AT TIME ZONE 'UTC')} for {@code timezone('UTC', now())}, since 16 {@code id} for {@code photo.id}.
 */
final class PrintedSql {
    private static final Pattern WORDS =
            Pattern.compile("'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\\w[\\w$]*|[^\\s\\w'\"(),;.:]+");
    private static final Pattern QUALIFIER =
            Pattern.compile("(?:\\b[a-zA-Z_][\\w$]*|\"(?:[^\"]|\"\")*\")\\.(?=[\\w\"*])");
    private static final Set<String> FILLING = Set.of("from", "for", "both", "as", "in");

    private PrintedSql() {}

    /** The sorted words of the text, without words that only some versions print. Different expressions rarely have the same words. */
    static List<String> essence(String text) {
        String plain = QUALIFIER
                .matcher(text)
                .replaceAll("")
                .replaceAll("(?i)AT TIME ZONE", "timezone")
                .replaceAll("\\bbtrim\\b", "trim");
        return WORDS.matcher(plain)
                .results()
                .map(word -> word(word.group()))
                .filter(word -> !FILLING.contains(word))
                .sorted()
                .toList();
    }

    private static String word(String printed) {
        if (printed.startsWith("'")) {
            return printed;
        }
        Matcher quoted = Pattern.compile("\"(\\w+)\"").matcher(printed);
        return (quoted.matches() ? quoted.group(1) : printed).toLowerCase(Locale.ROOT);
    }
}
