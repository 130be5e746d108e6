package io.github.shardedid.boot.unsharded;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.rehearsal.RehearsalReport;
import io.github.shardedid.boot.rehearsal.ShardRehearsal;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The rehearsal of an application without annotations. */
@Tag("quick")
class UnannotatedRehearsalIntegrationTests {
    private static Owner owner(ConfigurableApplicationContext app) {
        return app.getBean(OwnerRepository.class).save(new Owner());
    }

    @Test
    void annotationsAreAssumedAndIdsStayAsTheyAre() {
        TestDatabase database = PostgresServers.shared(1).newDatabase();
        try (ConfigurableApplicationContext app = new SpringApplicationBuilder(UnshardedApp.class)
                .properties(
                        "spring.main.web-application-type=none",
                        "spring.main.banner-mode=off",
                        "spring.jpa.hibernate.ddl-auto=create",
                        "spring.datasource.url=" + database.url(),
                        "spring.datasource.username=" + database.server().username(),
                        "spring.datasource.password=" + database.server().password())
                .run()) {
            PetRepository pets = app.getBean(PetRepository.class);
            Owner one = owner(app);
            Owner other = owner(app);
            Pet dog = pets.save(new Pet(one, "dog"));
            pets.findByOwnerId(Objects.requireNonNull(one.id));
            app.getBean(OwnerRepository.class).findByLogin("nobody");
            assertThat(report(app).refusals()).isZero();

            pets.findByName("dog");
            new TransactionTemplate(app.getBean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
                Pet known = pets.findById(Objects.requireNonNull(dog.id)).orElseThrow();
                known.name = "cat";
                pets.save(new Pet(other, "bird"));
            });
            RehearsalReport report = report(app);
            assertThat(report.mappings())
                    .hasSize(4)
                    .anySatisfy(each -> assertThat(each)
                            .contains(
                                    "Pet is assumed to be sharded: put @ShardedId",
                                    "in the shard of owner: put @ShardKey"))
                    .anySatisfy(each ->
                            assertThat(each).contains("Owner is assumed").doesNotContain("@ShardKey"))
                    .anySatisfy(each -> assertThat(each).contains("unique key owner (email)"))
                    .anySatisfy(each -> assertThat(each).contains("unique key owner_phone (number)"));
            assertThat(report.locations())
                    .extracting(RehearsalReport.Location::where)
                    .containsExactlyInAnyOrder("PetRepository.findByName(String)", "a transaction without a name");
            assertThat(report.refusals()).as("call, transaction").isEqualTo(2);
            assertThat(database.query("SELECT name FROM pet ORDER BY name")).isEqualTo(List.of("bird", "cat"));
        }
    }

    private static RehearsalReport report(ConfigurableApplicationContext app) {
        return app.getBean(ShardRehearsal.class).report();
    }
}
