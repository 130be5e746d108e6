package io.github.shardedid.boot.shelter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.rehearsal.RehearsalReport;
import io.github.shardedid.boot.rehearsal.ShardRehearsal;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase;
import org.springframework.boot.jdbc.test.autoconfigure.AutoConfigureTestDatabase.Replace;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Boot's own slice for repositories is rehearsed, too. */
@DataJpaTest(properties = "spring.jpa.hibernate.ddl-auto=create")
@AutoConfigureTestDatabase(replace = Replace.NONE)
class ShelterSliceIntegrationTests {
    @Autowired
    private KeeperRepository keepers;

    @Autowired
    private ShardRehearsal rehearsal;

    @DynamicPropertySource
    static void database(DynamicPropertyRegistry registry) {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        registry.add("spring.datasource.url", database::url);
        registry.add("spring.datasource.username", () -> database.server().username());
        registry.add("spring.datasource.password", () -> database.server().password());
    }

    @Test
    void callsAreReported() {
        keepers.findByName("x");
        assertThat(rehearsal.report().locations())
                .filteredOn(each -> each.where().equals("KeeperRepository.findByName(String)"))
                .extracting(RehearsalReport.Location::times)
                .containsExactly(1L);
    }
}
