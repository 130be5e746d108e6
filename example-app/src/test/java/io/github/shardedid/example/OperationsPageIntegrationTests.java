package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import tools.jackson.databind.JsonNode;

/** The operations page as people see it, over servers that it may stop. */
class OperationsPageIntegrationTests extends InABrowser {
    private static final String HOME =
            "return document.querySelector('.cell[data-shard=\"%d\"]')?.closest('.database').dataset.database";

    private static final String DRAIN = ".database[data-database=%s] button[aria-label^='Move all shards']";

    private static final Pattern COMPUTED = Pattern.compile("\\| ([\\d,]+) × (\\d+) \\| (.+) \\|");

    /** For one server, an instance with a pool of 10, and three statements for each table. */
    private static final String COMPUTE =
            """
            const [shards, tables] = [...arguments].map(Number);
            return Promise.all([import('/js/operations/capacity.js'), import('/js/operations/words.js')]).then(([c, w]) => {
              const needed = c.capacityOf({shards, tables, statements: 3, servers: 1, instances: 1, pool: 10});
              return [w.bytes(needed.backend), w.bytes(needed.backends), w.bytes(needed.catalogs),
                w.bytes(needed.files), w.number(needed.provisioning) + ' s'].join(' | ');
            });
            """;

    @Test
    void anIdIsTakenApartWhetherItIsANumberAShortTextOrALink() {
        Api api = RunningExample.api();
        Api.Answer photo = api.get("/photos?limit=1").expecting(200);
        String id = photo.body().get("items").get(0).get("id").asString();
        String text = photo.body().get("items").get(0).get("text").asString();
        int shard = Databases.shardOf(Long.parseLong(id));

        for (String form : new String[] {id, text, RunningExample.baseUrl() + "/p/" + text + "#comments"}) {
            browser().to("/operations");
            browser().see(".cell");
            browser().type("#id", form);
            browser().click("#inspect button");
            browser().seeWords("#decoded", id);
            browser().seeWords("#decoded", Databases.schemaOf(Long.parseLong(id)));
            browser().see(".cell.pointed[data-shard=\"" + shard + "\"]");
            assertThat(browser().script("return document.querySelectorAll('.bit').length"))
                    .isEqualTo(64L);
            assertThat(browser().script("return [...document.querySelectorAll('.bit')].map(b => b.innerText).join('')"))
                    .isEqualTo("0".repeat(Long.numberOfLeadingZeros(Long.parseLong(id)))
                            + Long.toBinaryString(Long.parseLong(id)));
        }
    }

    @Test
    void whatIsNoIdIsSaidToBeNone() {
        browser().to("/operations");
        browser().see(".cell");
        browser().type("#id", "not an id!");
        browser().click("#inspect button");
        browser().seeWords("#decoded", "This is not a valid id.");
        browser().see("#id[aria-invalid=true]");
        browser().assertQuiet("status of 400");
    }

    @Test
    void aShardMovesWhileTheLoadGoesOnAndNoWriteFails() {
        int shard = 5;
        browser().to("/operations");
        browser().click(".cell[data-shard=\"" + shard + "\"]");
        browser().seeWords("#shard-title", "Shard " + shard);
        String from = String.valueOf(browser().script(HOME.formatted(shard)));
        String to = from.equals("pg1") ? "pg2" : "pg1";
        browser().click("#load-button");
        browser().await("return Number(document.querySelector('#figures dd').innerText) > 0");

        browser().script("document.querySelector('#target').value = arguments[0]", to);
        browser().click("#move-button");
        browser().see("#steps .now");
        browser().seeWords("#moved", "Moved from " + from + " to " + to);
        browser().seeWords("#moved", ", 0 failed");
        browser().seeWords("#moved", "longest write");
        browser().seeWords("#moved", "writes blocked for");
        browser().await(HOME.formatted(shard) + " === '" + to + "'");
        browser().click("#load-button");
        browser().seeWords("#load-button", "Start");
        JsonNode seen = RunningExample.api().get("/operations/load").body().get("seen");
        assertThat(seen.get("failed").asInt()).as("%s", seen.get("lastFailure")).isZero();
    }

    @Test
    void aDatabaseIsDrainedByAPlanThatIsWatchedAndStopped() {
        browser().to("/operations");
        browser().clickAndConfirm(DRAIN.formatted("pg2"));
        browser().seeWords("#plan-words", "is running");
        browser().await("return document.querySelector('#plan-progress').value > 0");

        browser().click("#plan-stop");

        browser().seeWords("#plan-words", "was stopped");
        browser().await("return document.querySelector('#plan-stop').hidden");
        browser()
                .await(
                        "const [, done, total] = document.querySelector('#plan-words').innerText.match(/: (\\d+) of (\\d+) shards have left pg2/);"
                                + "return 0 < Number(done) && Number(done) < Number(total)");
        browser().see(".database[data-database=pg2] .cell");
    }

    @Test
    void aDatabaseThatIsStoppedTakesOnlyItsShardsWithItAndComesBack() {
        browser().to("/operations");
        browser().seeWords(".database[data-database=pg3] .works", "✓ writes");
        browser().clickAndConfirm(".database[data-database=pg3] h3 button");
        try {
            browser().seeWords(".database[data-database=pg3] .state", "stopped");
            browser()
                    .await("const w = document.querySelector('.database[data-database=pg3] .works').innerText;"
                            + "return !w.includes('✓')");
            for (String other : new String[] {"pg1", "pg2"}) {
                browser().seeWords(".database[data-database=" + other + "] .works", "✓ reads");
                browser().seeWords(".database[data-database=" + other + "] .works", "✓ writes");
            }
            browser().to("/");
            browser().seeWords("#missing", "A database is down");
            browser().see("#feed article");
            browser().to("/operations");
        } finally {
            RunningExample.start("pg3");
        }
        browser().seeWords(".database[data-database=pg3] .state", "up");
        browser().seeWords(".database[data-database=pg3] .works", "✓ writes");
        browser().assertQuiet("status of 503");
    }

    @Test
    void theMapIsWalkedWithTheArrowKeys() {
        browser().to("/operations");
        browser().click(".cell[data-shard=\"1\"]");
        browser().see(".cell[data-shard=\"1\"]").sendKeys(Keys.ARROW_RIGHT);
        browser().await("return document.activeElement.dataset.shard === '2'");
        browser().see(".cell[data-shard=\"2\"]").sendKeys(Keys.ENTER);
        browser().seeWords("#shard-title", "Shard 2");
    }

    @Test
    void theCapacityIsThatOfThePageOnCapacity() throws IOException {
        browser().to("/operations");
        browser().type("#capacity-shards", "4000");
        browser().type("#capacity-tables", "20");
        browser().type("#capacity-servers", "4");
        browser().seeWords("#capacity-result", "20,000");
        browser().type("#capacity-pool", "0");
        browser().seeWords("#capacity-result", "–");
        List<Matcher> rows = Files.readAllLines(Path.of("../docs/capacity.md")).stream()
                .map(COMPUTED::matcher)
                .filter(Matcher::matches)
                .toList();
        assertThat(rows).hasSizeGreaterThan(5).allSatisfy(row -> assertThat(
                        browser().script(COMPUTE, row.group(1).replace(",", ""), row.group(2)))
                .isEqualTo(row.group(3)));
    }
}
