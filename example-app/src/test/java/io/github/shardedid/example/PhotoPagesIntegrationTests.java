package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.example.scenery.Scenery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Photo sharing as people see it. */
class PhotoPagesIntegrationTests extends InABrowser {
    private static final String COUNT = "return document.querySelectorAll('#feed article').length";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void somebodySignsUpPostsAPhotoLikesItAndCommentsOnIt() throws IOException {
        String name = "Mary " + System.nanoTime();
        signUp(name);
        browser().choose("#picture", picture());
        browser().see("#preview");
        browser().type("#caption", "Seen from " + name);
        browser()
                .await(
                        "const location = [...document.querySelectorAll('#location option')].find(o => o.text === 'Soglio');"
                                + "if (location) location.selected = true; return Boolean(location)");
        browser().click("#post button");
        browser().seeWords("#feed article .caption", "Seen from " + name);
        browser().seeWords("#feed article .location", "Soglio");
        browser()
                .await("const i = document.querySelector('#feed article img');"
                        + "i.scrollIntoView(); return i.complete && i.naturalWidth === 640");

        browser().click("#feed article .like");
        browser().see("#feed article:first-child .like[aria-pressed=true]");
        browser().seeWords("#feed article .like", "1");
        browser().click("#feed article .like");
        browser().seeWords("#feed article .like", "0");
        browser().click("#feed article .like");
        browser().seeWords("#feed article .like", "1");

        browser().click("#feed article .picture");
        browser().type("#text", "A fine hill");
        browser().click("#comment button");
        browser().seeWords("#comment-list", "A fine hill");
        browser().reload();
        browser().seeWords("#comment-list", "A fine hill");
        browser().seeWords("#comment-list .author", name);
        browser().seeWords("#photo .location", "Soglio");
        browser().see(".like[aria-pressed=true]");
        browser().await("const i = document.querySelector('#photo img'); return i.complete && i.naturalWidth === 1200");

        browser().click("#photo .author");
        browser().seeWords("#feed-title", name);
        browser().await(COUNT + " === 1");
    }

    @Test
    void aNameThatIsTakenIsPolitelyRefusedAndAnotherOneSignsUp() {
        String name = "Lise " + System.nanoTime();
        RunningExample.api().user(name);
        browser().to("/").script("localStorage.clear()");
        browser().reload();
        browser().type("#name", name.toUpperCase(Locale.ROOT));
        browser().click("#join button");
        browser().seeWords("#trouble", name.toUpperCase(Locale.ROOT) + "\" is already taken");
        browser().see("#join");
        browser().seeWords("#me", "Sign up");
        browser().assertQuiet("status of 409");

        browser().type("#name", name + " M.");
        browser().click("#join button");
        browser().see("#composer");
        browser().seeWords("#me", name + " M.");
        browser().await("return document.querySelector('#trouble').hidden");
    }

    @Test
    void somebodyDeletesTheAccountWithAllThatLivesWithIt() {
        String author = RunningExample.api().user("Nan " + System.nanoTime());
        String photo = RunningExample.api().photo(author, "Of somebody else");
        String name = "Joan " + System.nanoTime();
        signUp(name);
        String user = String.valueOf(browser().script("return document.querySelector('#me .mine').pathname"))
                .substring("/u/".length());
        RunningExample.api()
                .like(RunningExample.api().photo(user, "Mine"), author)
                .expecting(201);
        browser().to("/p/" + photo);
        browser().click("#photo .like");
        browser().see(".like[aria-pressed=true]");
        browser().type("#text", "I was here");
        browser().click("#comment button");
        browser().seeWords("#comment-list", "I was here");

        browser().to("/u/" + user);
        browser().seeWords("#account", "Download my data");
        assertThat(String.valueOf(
                        RunningExample.api().get("/users/" + user + "/rows").body()))
                .contains("\"rows\":3", "\"name\":\"photo_like\",\"rows\":1");
        browser().clickAndConfirm("#leave");
        browser().seeWords("h1", "Your account is deleted");
        browser().seeWords("main", "3 rows were deleted");
        browser().seeWords("main", "0 are left");
        browser().seeWords("#me", "Sign up");
        browser().to("/p/" + photo);
        browser().seeWords(".like", "0");
        browser().await("return !document.querySelector('#comment-list').innerText.includes('I was here')");
        browser().to("/u/" + user);
        browser().seeWords("h1", "This user does not exist");
        browser().to("/u/" + author);
        browser().seeWords("#feed", "Of somebody else");
        browser().await("return document.querySelector('#account').children.length === 0");
        browser().assertQuiet("status of 404");
    }

    @Test
    void olderPhotosComeWhileOneScrollsAndNoneTwice() {
        browser().to("/");
        browser().await(COUNT + " >= 12");
        long before = (long) browser().script(COUNT);

        browser().await("scrollTo(0, document.body.scrollHeight); " + COUNT + " > 30");

        assertThat(before).isLessThan(30);
        List<?> shown = (List<?>)
                browser().script("return [...document.querySelectorAll('#feed .picture')].map(link => link.href)");
        assertThat(shown.stream().distinct().count()).isEqualTo(shown.size());
        browser()
                .await("const i = [...document.querySelectorAll('#feed img')].at(-1); i.scrollIntoView();"
                        + " return i.complete && i.naturalWidth > 0");
    }

    @Test
    void whoHasNotSignedUpIsAskedToWhenLiking() {
        browser().to("/").script("localStorage.clear()");
        browser().reload();
        browser().click("#feed article .like");
        browser().await("return document.activeElement.id === 'name'");
        browser().see("#feed article .like[aria-pressed=false]");
    }

    @Test
    void whatDoesNotExistIsAPage() {
        long nobody = 90_000_000_000L << 23 | 5 << 10;
        browser().to("/p/" + nobody);
        browser().seeWords("h1", "This photo does not exist");
        browser().to("/u/" + nobody);
        browser().seeWords("h1", "This user does not exist");
        browser().seeWords("main a", "All photos");
        browser().assertQuiet("status of 404");
    }

    private void signUp(String name) {
        browser().to("/").script("localStorage.clear()");
        browser().reload();
        browser().type("#name", name);
        browser().click("#join button");
        browser().see("#composer");
        browser().seeWords("#me", name);
    }

    private Path picture() throws IOException {
        Path file = directory.resolve("hill.png");
        ImageIO.write(new Scenery(7).draw(1200, 900), "png", file.toFile());
        return file;
    }
}
