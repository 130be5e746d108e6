package io.github.shardedid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;

/**
 * Every snippet of the documentation stands, line by line, in a file that the build compiles or runs. Above a snippet a
 * comment names that file: {@code <!-- from path -->}. Links lead somewhere.
 */
class DocumentationTests {
    private static final Path ROOT = Project.ROOT;
    private static final Pattern SNIPPET =
            Pattern.compile("(?:<!-- (from|not compiled:) ?([^>]*?) -->\\n+)?```([a-z]+)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern ANCHOR = Pattern.compile("\\]\\(([^)#:]*)#([^)]+)\\)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    @TestFactory
    Stream<DynamicTest> everySnippetStandsInAFileThatIsCompiledOrRun() throws IOException {
        return pages().stream().flatMap(page -> {
            Matcher snippets = SNIPPET.matcher(read(page));
            List<DynamicTest> tests = new ArrayList<>();
            while (snippets.find()) {
                String kind = snippets.group(1);
                String source = snippets.group(2);
                String text = snippets.group(4);
                String name =
                        ROOT.relativize(page) + ": " + text.lines().findFirst().orElse("");
                tests.add(DynamicTest.dynamicTest(name, () -> check(kind, source, text)));
            }
            return tests.stream();
        });
    }

    private static void check(String kind, String source, String text) {
        if (kind == null) {
            fail("No comment <!-- from path --> above the snippet:\n" + text);
        } else if (kind.equals("from")) {
            assertThat(lines(read(ROOT.resolve(source.strip()))))
                    .as("lines of %s", source)
                    .contains(lines(text));
        } else {
            assertThat(source).as("why the snippet is not compiled").isNotBlank();
        }
    }

    /** Indentation does not count: a snippet shows a method without the class around it. */
    private static String lines(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }

    @Test
    void everyLinkLeadsToAFile() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            Matcher links = LINK.matcher(read(page));
            while (links.find()) {
                if (!Files.exists(page.resolveSibling(links.group(1)))) {
                    dead.add(ROOT.relativize(page) + " → " + links.group(1));
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    @Test
    void everyLinkToAHeadingFindsIt() throws IOException {
        List<String> dead = new ArrayList<>();
        for (Path page : pages()) {
            Matcher links = ANCHOR.matcher(read(page));
            while (links.find()) {
                Path target = links.group(1).isEmpty() ? page : page.resolveSibling(links.group(1));
                if (!anchors(target).contains(links.group(2))) {
                    dead.add(ROOT.relativize(page) + " → " + links.group(1) + "#" + links.group(2));
                }
            }
        }
        assertThat(dead).isEmpty();
    }

    /** As they are made of headings: lower case, without punctuation, with hyphens for blanks. */
    private static Set<String> anchors(Path page) {
        return read(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(line -> line.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void everyExceptionHasItsRow() throws IOException {
        String page = read(ROOT.resolve("docs/troubleshooting.md"));
        List<String> missing = new ArrayList<>();
        for (Path sources : Project.modulesWith("src/main/java")) {
            try (Stream<Path> files = Files.walk(sources)) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith("Exception.java"))
                        .map(name -> name.replace(".java", ""))
                        .filter(name -> !name.equals("ShardedIdException") && !page.contains("`" + name + "`"))
                        .forEach(missing::add);
            }
        }
        assertThat(missing).isEmpty();
    }

    /** Whoever cannot see a drawing is told its title and what it shows; and it needs nothing but itself. */
    @Test
    void everyDrawingIsShownAndSaysWhatItShows() throws Exception {
        String pages = pages().stream().map(DocumentationTests::read).collect(Collectors.joining());
        List<Path> drawings = files(ROOT.resolve("docs/drawings"));
        assertThat(drawings).isNotEmpty();
        for (Path drawing : drawings) {
            Element svg = DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(drawing.toFile())
                    .getDocumentElement();
            for (String words : List.of("title", "desc")) {
                assertThat(svg.getElementsByTagName(words).item(0))
                        .as("<%s> of %s", words, drawing)
                        .isNotNull();
            }
            assertThat(read(drawing)).as("%s", drawing).doesNotContain("href", "@import", "<script");
            assertThat(pages).containsPattern("!\\[[^]]{20,}]\\(drawings/" + drawing.getFileName() + "\\)");
        }
    }

    @Test
    void theReadmeIsShort() {
        assertThat(read(ROOT.resolve("README.md")).lines().count()).isLessThan(150);
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>();
        for (Path folder : List.of(ROOT, ROOT.resolve("docs"), ROOT.resolve("docs/benchmarks"))) {
            pages.addAll(files(folder));
        }
        pages.removeIf(file -> !file.toString().endsWith(".md"));
        return pages;
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError("The documentation names " + file + ", which cannot be read", e);
        }
    }
}
