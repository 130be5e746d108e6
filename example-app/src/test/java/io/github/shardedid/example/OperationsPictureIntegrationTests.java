package io.github.shardedid.example;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Takes the picture of the operations page that the README shows. */
@EnabledIfEnvironmentVariable(named = "EXAMPLE_PICTURES", matches = ".+", disabledReason = "no pictures are wanted")
class OperationsPictureIntegrationTests extends InABrowser {
    @Test
    void theOperationsPageDuringAPlanUnderLoad() {
        String photo = RunningExample.api()
                .get("/photos?limit=1")
                .body()
                .get("items")
                .get(0)
                .get("text")
                .asString();
        browser().sized(1400, 900, false).to("/operations");
        browser().click(".cell[data-shard=\"17\"]");
        browser().click("#load-button");
        browser()
                .await(
                        "return document.querySelectorAll('#chart-writes .bar[height]').length > 0"
                                + " && [...document.querySelectorAll('#chart-writes .bar')].filter(b => b.getAttribute('height') > 1).length > 25");
        browser().click("#move-button");
        browser().seeWords("#moved", "Moved from");
        browser().type("#id", photo);
        browser().click("#inspect button");
        browser().see(".bit");
        browser().clickAndConfirm(".database[data-database=pg1] button[aria-label^='Move all shards']");
        browser().await("return document.querySelector('#plan-progress').value > 0.2");
        browser().script("scrollTo(0, 0); document.activeElement.blur()");
        Path file = Path.of(System.getenv("EXAMPLE_PICTURES"), "operations-page.png");
        long height = (long)
                browser().script("return Math.round(document.querySelector('#shell').getBoundingClientRect().top)");
        browser().picture(file, (int) height);
        browser().click("#plan-stop");
        browser().seeWords("#plan-words", "was stopped");
        browser().click("#load-button");
        browser().seeWords("#load-button", "Start");
    }
}
