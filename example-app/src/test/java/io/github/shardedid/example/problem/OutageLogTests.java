package io.github.shardedid.example.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OutageLogTests {
    @Test
    void anOutageIsOneLineAMinute() {
        List<String> lines = new ArrayList<>();
        AtomicLong clock = new AtomicLong(-5);
        OutageLog log = new OutageLog(lines::add, clock::get);

        for (int second = 0; second < 120; second++) {
            for (int request = 0; request < 28; request++) {
                log.add("pg2 is down");
            }
            clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        }

        assertThat(lines).hasSize(2).allMatch(line -> line.endsWith("pg2 is down"));
        assertThat(lines.get(1)).contains(": " + 60 * 28 + ",");
    }
}
