package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the pages look on a phone, a tablet and a desk, light and dark. */
class LayoutIntegrationTests extends InABrowser {
    /** Pictures of all pages are kept here if it is set. */
    private static final String KEPT = System.getenv().getOrDefault("EXAMPLE_PICTURES", "");

    @ParameterizedTest
    @CsvSource({"360,false", "800,false", "1400,false", "360,true", "800,true", "1400,true"})
    void everyPageFitsItsWidthCanBeReadAndIsLabelled(int width, boolean dark) {
        String photo = RunningExample.api()
                .get("/photos?limit=1")
                .body()
                .get("items")
                .get(0)
                .get("text")
                .asString();
        String author = RunningExample.api()
                .get("/photos/" + photo)
                .body()
                .get("author")
                .asString();
        for (Page page : List.of(
                new Page("photos", "/", "#feed article"),
                new Page("profile", "/u/" + author, "#feed article"),
                new Page("photo", "/p/" + photo, "#photo img"),
                new Page("operations", "/operations#id=" + photo, ".bit"))) {
            browser().to(page.path());
            browser().sized(width, 900, dark);
            browser().see(page.mark());
            browser().await("return [...document.images].every(i => i.complete || i.loading === 'lazy')");
            keep(page.name() + "-" + width + (dark ? "-dark" : ""));
            assertThat(browser().script("return document.documentElement.scrollWidth"))
                    .as("%s at %d", page.name(), width)
                    .isEqualTo((long) width);
            assertThat(found(UNLABELLED))
                    .as("without a name on %s", page.name())
                    .isEmpty();
            assertThat(found(PALE))
                    .as("hard to read on %s, dark: %s", page.name(), dark)
                    .isEmpty();
        }
    }

    @Test
    void theFirstTabStopLeadsToTheContent() {
        browser().to("/operations").see(".cell");
        assertThat(browser().script("return document.querySelector('a, button, input').className"))
                .isEqualTo("skip");
    }

    private record Page(String name, String path, String mark) {}

    private List<?> found(String script) {
        return (List<?>) browser().script(script);
    }

    private void keep(String name) {
        if (!KEPT.isEmpty()) {
            long height = (long) browser().script("return document.documentElement.scrollHeight");
            browser().picture(Path.of(KEPT, name + ".png"), (int) Math.min(2600, height));
        }
    }

    private static final String UNLABELLED =
            """
            return [...document.querySelectorAll('a, button, input, select, textarea, img, svg[role=img]')]
              .filter(e => e.checkVisibility())
              .filter(e => !(e.innerText?.trim() || e.ariaLabel || e.labels?.length || e.hasAttribute('alt')
                || e.querySelector('[alt]:not([alt=""])')))
              .map(e => e.outerHTML.slice(0, 120))
            """;

    /** Text whose contrast to what is behind it is below WCAG's AA: 4.5, or 3 for large letters. */
    private static final String PALE =
            """
            const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
            const rgba = css => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1);
              return [...canvas.getImageData(0, 0, 1, 1).data]; };
            const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
              .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
              .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
            const behind = e => { for (; e; e = e.parentElement) {
              const c = rgba(getComputedStyle(e).backgroundColor); if (c[3] === 255) return c; } return [255, 255, 255]; };
            const pale = [];
            const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
              const e = texts.currentNode.parentElement;
              const style = getComputedStyle(e);
              if (!texts.currentNode.data.trim() || !e.checkVisibility() || e.closest('.unseen, .skip, script, noscript, :disabled')) continue;
              const [a, b] = [light(rgba(style.color)), light(behind(e))].sort((x, y) => y - x);
              const size = parseFloat(style.fontSize);
              const needed = size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5;
              if ((a + 0.05) / (b + 0.05) < needed) pale.push(`${((a + 0.05) / (b + 0.05)).toFixed(2)} ${e.tagName}.${e.className}: ${texts.currentNode.data.trim().slice(0, 40)}`);
            }
            return pale;
            """;
}
