package io.github.shardedid.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class CurlLinesIntegrationTests extends OnThreeServers {
    @Test
    void theLinesWorkAsPrintedHoweverOftenTheyAreRun() throws Exception {
        List<String> lines = lines();
        assertThat(lines).hasSize(9).noneMatch(line -> line.contains(":8080"));

        boolean firstTime = api().get("/users?name=ada").status() == 404;
        PrintedLines.assertTheStory(PrintedLines.overHttp(lines), firstTime);
        PrintedLines.assertTheStory(PrintedLines.overHttp(lines), false);
    }

    @Test
    void theLinesWorkInAShell() throws Exception {
        assumeTrue(PrintedLines.curlIsThere(), "there is no curl here");

        boolean firstTime = api().get("/users?name=ada").status() == 404;
        PrintedLines.assertTheStory(PrintedLines.inAShell(lines()), firstTime);
    }

    private List<String> lines() throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(baseUrl + "/curl-lines")).build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body()
                .lines()
                .toList();
    }
}
