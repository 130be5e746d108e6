package io.github.shardedid.boot.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tables of {@code docs/configuration.md}, made from the metadata and from what a file beside says more. */
final class ConfigurationReference {
    static final Path PAGE = Path.of("../docs/configuration.md");
    static final String BEGIN = "<!-- properties: written by ConfigurationReferenceTests from the metadata -->\n";
    static final String END = "<!-- end of the properties -->\n";

    private static final Path METADATA = Path.of("target/classes/META-INF/spring-configuration-metadata.json");
    private static final Path MORE = Path.of("src/test/resources/documented/configuration-reference.md");
    private static final Pattern LINK = Pattern.compile("(?m)^\\| `([^`]+)` \\| (\\[[^|]+) \\|$");
    private static final Pattern NAME = Pattern.compile("(?<![\\w`-])(sharded-id\\.[a-z.-]*[a-z]|\\$\\{name})");

    private final Map<String, JsonNode> properties = new TreeMap<>();
    private final Map<String, String> links = new TreeMap<>();
    private final List<String> belowADatabase;

    ConfigurationReference() throws IOException {
        JsonMapper.shared()
                .readTree(Files.readString(METADATA))
                .get("properties")
                .forEach(each -> properties.put(each.get("name").asString(), each));
        properties.keySet().removeIf(name -> !name.startsWith("sharded-id."));
        String more = Files.readString(MORE);
        Matcher link = LINK.matcher(more);
        while (link.find()) {
            links.put(link.group(1), link.group(2));
        }
        belowADatabase = more.lines()
                .filter(line -> line.startsWith("| `sharded-id.databases.<name>."))
                .toList();
    }

    Map<String, JsonNode> properties() {
        return properties;
    }

    /** What more is said of a property that there is. */
    Map<String, String> links() {
        return links;
    }

    /** The table. */
    String text() {
        List<String> rows = new ArrayList<>();
        properties.forEach((name, property) -> {
            rows.add("| `" + name + "` | " + defaultOf(property) + " | " + meaning(name, property) + " |");
            if (name.equals("sharded-id.databases")) {
                rows.addAll(belowADatabase);
            }
        });
        return "| property | default | meaning |\n|---|---|---|\n" + String.join("\n", rows) + "\n";
    }

    private static String defaultOf(JsonNode property) {
        JsonNode value = property.path("defaultValue");
        return value.isMissingNode() ? "–" : value.isArray() ? value.get(0).asString() : value.asString();
    }

    private String meaning(String name, JsonNode property) {
        String description = property.path("description").asString("");
        String link = links.get(name);
        String text =
                NAME.matcher(description).replaceAll(found -> Matcher.quoteReplacement("`" + found.group() + "`"));
        return link == null ? text : text + " See " + link + ".";
    }
}
