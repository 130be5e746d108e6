package io.github.shardedid.boot.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.web.Http.Answer;
import io.github.shardedid.id.IdLayout;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Ids in requests and answers of an application's own controllers. */
class IdsOverHttpTests {
    private static final long ID = 241_294_492_511_762_325L;
    private static final String TEXT = IdLayout.DEFAULT.toText(ID);
    private static final String VIEW =
            """
            {"id":%1$s,"author":%1$s,"likedBy":[%1$s],"timesSeenBy":{"%2$s":3},"pinned":{"first":%1$s},"cover":%1$s,"likes":7}""";

    private static ConfigurableApplicationContext application = IdsApp.start();
    private static Http http = new Http(application);

    @BeforeAll
    static void listen() {
        assertThat(application.isActive()).isTrue();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static void isRefused(Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"" + ID, "NZQBAAa_eV"})
    void parametersTakeEitherForm(String id) {
        assertThat(TEXT).isEqualTo("NZQBAAa_eV");
        assertThat(http.get("/photos/" + id).text()).isEqualTo("photo " + ID);
        assertThat(http.get("/photos?author=" + id + "&tagged=" + id + "&tagged=0")
                        .text())
                .isEqualTo("photos of " + ID + " with [" + ID + ", 0], 20");
        assertThat(http.get("/links/" + id).text()).isEqualTo("link to " + ID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ab%20c", "9223372036854775808", "1.5", "no!"})
    void whatIsNoIdInAPathIsRefused(String id) {
        isRefused(http.get("/photos/" + id));
    }

    @Test
    void whatIsNoIdInAParameterIsRefused() {
        isRefused(http.get("/photos?author=nobody!"));
        isRefused(http.get("/photos?author=1&tagged=2&tagged=3,4"));
        isRefused(http.get("/photos?author=1&limit=many"));
    }

    /** No answer says which database it is. */
    @ParameterizedTest
    @CsvSource({"down, 503", "unowned, 503", "none, 400", "gone, 410"})
    void whatCannotBeAnsweredHasTheStatusOfItsCause(String what, int status) {
        Answer answer = http.get("/failures/" + what);
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.text()).doesNotContain("pg1");
    }

    @Test
    void idsAreTextsInJsonAndNumbersAreTakenToo() {
        String strings = VIEW.formatted("\"" + ID + "\"", ID);
        for (String body : new String[] {strings, VIEW.formatted(ID, ID)}) {
            Answer answer = http.post("/photos", body);
            assertThat(answer.status()).as(answer.text()).isEqualTo(200);
            assertThat(answer.text()).isEqualTo(strings);
        }
        assertThat(http.post("/people", "{\"id\":" + ID + "}").text()).isEqualTo("{\"id\":\"" + ID + "\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"no id\"", "-1", "9223372036854775808", "\"\""})
    void whatIsNoIdInJsonIsRefused(String id) {
        isRefused(http.post("/people", "{\"id\":" + id + "}"));
    }

    @Test
    void whatIsNoIdWithinListsAndKeysIsRefused() {
        String good = VIEW.formatted("\"" + ID + "\"", ID);
        isRefused(http.post("/photos", good.replace("[\"" + ID, "[\"none")));
        isRefused(http.post("/photos", good.replace("{\"" + ID, "{\"nobody")));
        isRefused(http.post("/photos", good.replace("first\":\"" + ID, "first\":\"nothing")));
        // Something else that is wrong is not ours to answer.
        assertThat(http.post("/photos", "{\"id\":1.5}").status()).isEqualTo(400);
        assertThat(http.post("/photos", "{").status()).isEqualTo(400);
    }

    @Test
    void shortTextsAreWrittenWhereTheyAreWanted() {
        try (ConfigurableApplicationContext other = IdsApp.start("sharded-id.json.ids-as=short-text")) {
            String view = VIEW.formatted("\"" + TEXT + "\"", TEXT);
            assertThat(new Http(other).post("/photos", view).text()).isEqualTo(view);
        }
    }
}
