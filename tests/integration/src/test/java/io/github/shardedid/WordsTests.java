package io.github.shardedid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The glossary of {@code CONTRIBUTING.md} is followed in the main sources and the documentation, names of code included. */
class WordsTests {
    private static final Path ROOT = Project.ROOT;
    private static final Pattern CHECKED = Pattern.compile(".*\\.(java|html|js|css|sql|yml|json|properties|txt)");
    private static final Pattern PAGE = Pattern.compile("(docs/.*|README|CONTRIBUTING|CHANGELOG|SECURITY)\\.md");

    /** Between two words: also the end of a line of a comment. */
    private static final String GAP = "(?:\\s|\\*|//|--|')+";

    /** The words of the glossary, and phrases that read like a translation. */
    private static final List<Word> WORDS = List.of(
            word("turns?", "round trip"),
            word("lanes?", "worker"),
            word("places?", "target, location"),
            word("destinations?", "target"),
            word("hindrances?", "obstacle"),
            word("(?:an?|the|this|each|every|drift|shard) looks?", "inspection, report"),
            word("(?:hears?|heard) of", "receives, is notified of"),
            word("told", "notified, reported"),
            word("quiet", "maintenance lock"),
            word("patience", "retry policy, timeout"),
            word("homeless", "unowned"),
            word("anew", "again, re-created, refreshed"),
            word("overdue", "exceeded its wait"),
            word("(?:go|goes|went|come|comes|came) along", "use the same connection"),
            word("outside reads?", "non-transactional reads"),
            word("(?:hold|holds|held|holding) back", "defer, block"),
            word("hop(?:s|ped|ping)?", "advance to the next timestamp"),
            word("hand(?:s|ed|ing)? out(?: \\w+){0,3} ids?|ids?(?: \\w+){0,3} handed out", "generate, return"),
            word("(?:take|takes|took|taken|taking)(?: \\w+){0,3} apart", "decode"),
            word("house|rooms", "architecture, packages"),
            word("for (?:\\w+ ){1,2}s sake|for the sake of", "for"),
            word("not even none|to be had|had better|rightly", "plain words"),
            new Word(Pattern.compile("\\| (at most|told) \\|"), "goal, reported"));

    /** Functions of the schema {@code sharded_id}, whose names must not change. */
    private static final String FUNCTIONS = "sharded id\\.hop(?: from)?\\b|\\bhop(?: from)?\\(|`hop(?: from)?`";

    /** What stays, and why. */
    private static final List<Exemption> EXEMPTIONS = List.of(
            new Exemption("example-app/src/main/resources/static/", "quiet", "a CSS class of secondary buttons"),
            new Exemption("example-app/src/main/resources/static/css/", "place", "the CSS property place-items"),
            new Exemption("example-app/.*/SampleStory.java", "place", "a sample comment on a photo"),
            new Exemption("core/.*/Scatters.java", "turn", "in the queue of queries"),
            new Exemption("operations/.*/functions.sql", "hops?", "the function hop, in its message and comments"));

    /** In all files; what the exemptions need keeps it from being empty. */
    private static final List<Finding> FINDINGS = new ArrayList<>();

    private record Word(Pattern pattern, String instead) {}

    private record Exemption(String path, String word, String why) {
        boolean covers(String file, String found) {
            return Pattern.compile(path).matcher(file).lookingAt() && found.matches(word);
        }
    }

    private record Finding(String file, long line, String found, String instead) {
        @Override
        public String toString() {
            return file + ":" + line + ": " + found + " → " + instead;
        }
    }

    private static Word word(String words, String instead) {
        return new Word(Pattern.compile("\\b(?:" + words.replace(" ", GAP) + ")\\b"), instead);
    }

    @Test
    void mainSourcesAndPagesFollowTheGlossary() throws IOException {
        List<Finding> findings = findings();

        assertThat(findings.stream().filter(found -> !isExempt(found)))
                .as("words of the glossary in CONTRIBUTING.md, and what to write instead")
                .isEmpty();
    }

    /** Whoever configures them says what a message advises: see {@code WayOut}. The settings of Hibernate are configured in it. */
    @Test
    void messagesOfTheLibraryNameNoPropertyOfSpringBoot() throws IOException {
        Pattern property = Pattern.compile("\"[^\"\n]*sharded-id\\.[a-z]");
        for (Path file : files()) {
            if (file.toString().matches(".*/(core|operations)/src/main/java/.*")
                    && !file.toString().matches(".*/(ShardingSettings|ShardContextAccessor)[.]java")) {
                assertThat(Files.readString(file)).as("%s", file).doesNotContainPattern(property);
            }
        }
    }

    @Test
    void everyExemptionIsNeeded() throws IOException {
        List<Finding> findings = findings();

        assertThat(EXEMPTIONS)
                .allMatch(one -> findings.stream().anyMatch(found -> one.covers(found.file(), found.found())));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "class ScatterLane",
                "long PATIENCE_NANOS",
                "lock.tryQuiet()",
                "new DriftLook()",
                "isHomeless",
                "takes an id\n     * apart",
                "for a move's sake",
                "is told of it",
                "| at most |",
                "Homes anew",
                "one turn on the wire",
            })
    void findsWordsInNamesAndOverLines(String text) {
        assertThat(findings("X.java", text)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return",
                "planes",
                "placement",
                "replaces",
                "placeholder",
                "lookup",
                "in place of",
                "in turn",
                "waits for its turn"
            })
    void findsNoPartsOfWords(String text) {
        assertThat(findings("X.java", text)).isEmpty();
    }

    private static boolean isExempt(Finding finding) {
        return EXEMPTIONS.stream().anyMatch(one -> one.covers(finding.file(), finding.found()));
    }

    private static synchronized List<Finding> findings() throws IOException {
        if (!FINDINGS.isEmpty()) {
            return FINDINGS;
        }
        for (Path file : files()) {
            String name = ROOT.relativize(file).toString();
            FINDINGS.addAll(findings(name, exempted(name, Files.readString(file))));
        }
        return FINDINGS;
    }

    private static List<Finding> findings(String file, String text) {
        String words = separated(text);
        List<Finding> findings = new ArrayList<>();
        for (Word word : WORDS) {
            Matcher matcher = word.pattern().matcher(words);
            while (matcher.find()) {
                long line = 1
                        + words.substring(0, matcher.start())
                                .chars()
                                .filter(end -> end == '\n')
                                .count();
                findings.add(new Finding(file, line, matcher.group(), word.instead()));
            }
        }
        return findings;
    }

    /** Names of code as separate words in lower case, with the same lines. Without idioms that have another meaning. */
    private static String separated(String text) {
        return text.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ")
                .replace('_', ' ')
                .toLowerCase(Locale.ROOT)
                .replaceAll("\\b(?:in|take|takes|took|taking) (?:the )?places?\\b", "")
                .replaceAll("\\b(?:in|its) turn\\b", "")
                .replaceAll(FUNCTIONS, "");
    }

    /** Without the glossary itself. */
    private static String exempted(String file, String text) {
        if (file.equals("CONTRIBUTING.md")) {
            int table = text.indexOf("| write | not |");
            int end = text.indexOf("\n\n", table);
            return text.substring(0, table) + text.substring(table, end).replaceAll("[^\n]", "") + text.substring(end);
        }
        return text;
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> pages = Files.walk(ROOT.resolve("docs"));
                Stream<Path> others = Files.list(ROOT)) {
            Stream<Path> sources = Project.modulesWith("src/main").stream()
                    .flatMap(WordsTests::within)
                    .filter(file -> CHECKED.matcher(file.toString()).matches());
            return Stream.concat(sources, Stream.concat(pages, others).filter(file -> PAGE.matcher(
                                    ROOT.relativize(file).toString())
                            .matches()))
                    .sorted()
                    .toList();
        }
    }

    private static Stream<Path> within(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
