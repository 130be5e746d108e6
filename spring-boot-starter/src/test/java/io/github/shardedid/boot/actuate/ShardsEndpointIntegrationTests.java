package io.github.shardedid.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.startup.MovedShards;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.id.MalformedIdException;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.MoveStep;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The actuator's endpoint shows the shards of real databases and moves them. */
class ShardsEndpointIntegrationTests {
    private final MovedShards cluster = new MovedShards();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ShardedIdAutoConfiguration.class, ShardsEndpointAutoConfiguration.class))
            .withPropertyValues(cluster.properties().toArray(String[]::new));
    private final ApplicationContextRunner exposed =
            application.withPropertyValues("management.endpoints.web.exposure.include=shards");

    @Test
    @Tag("quick")
    void itShowsTheClusterAndMovesAShardInTheBackground() {
        exposed.run(context -> {
            ShardsEndpoint endpoint = context.getBean(ShardsEndpoint.class);
            ShardsEndpoint.Shards before = endpoint.shards();
            assertThat(before.shards()).isEqualTo(4);
            assertThat(before.databases())
                    .containsEntry("pg1", new ShardsEndpoint.Database(true, "0-1", 2, null))
                    .containsEntry("pg2", new ShardsEndpoint.Database(true, "2-3", 2, null));
            assertThat(before.moves()).isEmpty();

            endpoint.act(0, ShardsEndpoint.Action.MOVE, "pg2");
            await().untilAsserted(() -> assertThat(endpoint.shards().underWay()).isEmpty());

            assertThat(endpoint.shard(0).moves()).singleElement().satisfies(move -> assertThat(move.step())
                    .isEqualTo(MoveStep.DONE));
            assertThat(cluster.pg2().query("SELECT generation FROM sharded_id.shard WHERE shard = 0"))
                    .containsExactly("2");
            assertThat(before.toString()).doesNotContain(cluster.password());
        });
    }

    /** Nothing of the mover catches it. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    private void killBehindTheFence() {
        assertThatThrownBy(() -> cluster.mover(progress -> {
                            if (progress.step() == MoveStep.CARRY_OVER) {
                                throw new Killed();
                            }
                        })
                        .move(0, "pg2"))
                .isInstanceOf(Killed.class);
    }

    @Test
    void aMoveWhoseProcessHasDiedIsCompletedByTheApplication() {
        exposed.run(context -> {
            ShardsEndpoint endpoint = context.getBean(ShardsEndpoint.class);
            killBehindTheFence();
            await().until(() -> endpoint.shard(0).moves().get(0).step() == MoveStep.DONE);
            await().untilAsserted(() -> assertThat(endpoint.shards().fenced()).isEmpty());
            assertThat(endpoint.shard(0).database()).isEqualTo("pg2");
        });
    }

    @Test
    void aShardThatStaysFencedIsNamed() {
        exposed.withPropertyValues("sharded-id.moves.recover=false").run(context -> {
            ShardsEndpoint endpoint = context.getBean(ShardsEndpoint.class);
            killBehindTheFence();
            await().untilAsserted(() -> assertThat(endpoint.shards().fenced()).containsOnlyKeys(0));
            assertThat(endpoint.shard(0).fenced()).isTrue();
            endpoint.act(0, ShardsEndpoint.Action.ABORT, null);
            await().untilAsserted(() -> assertThat(endpoint.shards().fenced()).isEmpty());
            await().untilAsserted(() -> assertThat(endpoint.shards().underWay()).isEmpty());
        });
    }

    @Test
    void itSaysWhatToDoAboutAShardThatNoDatabaseOwns() {
        cluster.moveAndForget();

        exposed.run(context -> {
            ShardsEndpoint endpoint = context.getBean(ShardsEndpoint.class);
            assertThat(endpoint.shards().unowned()).isEqualTo("1");
            assertThat(endpoint.shards().mapAge()).isPositive();
            assertThat(endpoint.shards().databases().values())
                    .allSatisfy(each -> assertThat(each.unreachableBecause()).isNull());
            assertThat(endpoint.shards().problems())
                    .singleElement()
                    .asString()
                    .contains("No database owns shard 1", "--sharded-id.recover=1");
            assertThat(endpoint.shard(1).database()).isNull();
            assertThat(endpoint.shard(1).problem()).contains("--sharded-id.recover=1");
            assertThat(endpoint.shard(0).problem()).isNull();
        });
    }

    @Test
    void whatIsInTheWayOfAMoveIsToldAtOnce() {
        exposed.run(context -> {
            ShardsEndpoint endpoint = context.getBean(ShardsEndpoint.class);

            assertThatThrownBy(() -> endpoint.act(0, ShardsEndpoint.Action.MOVE, "pg1"))
                    .isInstanceOf(MoveRefusedException.class)
                    .hasMessageContainingAll("0", "pg1");
            assertThatThrownBy(() -> endpoint.act(0, ShardsEndpoint.Action.MOVE, null))
                    .hasMessageContaining("set \"to\"");
        });
    }

    @Test
    @Tag("quick")
    void itTakesAnIdApartInEitherForm() {
        long id = IdLayout.DEFAULT.encode(1_000, 3, 512);
        exposed.run(context -> {
            ShardsEndpoint endpoint = context.getBean(ShardsEndpoint.class);
            ShardInspections.Id found =
                    (ShardInspections.Id) endpoint.inspect(ShardsEndpoint.Inspection.ID, Long.toString(id));

            assertThat(found)
                    .isEqualTo(new ShardInspections.Id(
                            Long.toString(id),
                            IdLayout.DEFAULT.toText(id),
                            IdLayout.PUBLISHED_EPOCH.plusSeconds(1),
                            3,
                            0,
                            512,
                            "shard_0003",
                            "pg2"));
            assertThat(endpoint.inspect(ShardsEndpoint.Inspection.ID, found.text()))
                    .isEqualTo(found);
            assertThat((ShardInspections.Id)
                            endpoint.inspect(ShardsEndpoint.Inspection.ID, "" + IdLayout.DEFAULT.encode(1_000, 4, 0)))
                    .extracting(ShardInspections.Id::schema, ShardInspections.Id::database, ShardInspections.Id::node)
                    .containsOnlyNulls();
            assertThatThrownBy(() -> endpoint.inspect(ShardsEndpoint.Inspection.ID, "no id"))
                    .isInstanceOf(MalformedIdException.class);
        });
    }

    @Test
    void itShowsSizesAndVersionsOfADatabaseOnRequest() {
        exposed.run(context -> {
            ShardsEndpoint endpoint = context.getBean(ShardsEndpoint.class);
            ShardInspections.Sizes sizes =
                    (ShardInspections.Sizes) endpoint.inspect(ShardsEndpoint.Inspection.SIZES, "pg1");
            ShardInspections.Versions versions =
                    (ShardInspections.Versions) endpoint.inspect(ShardsEndpoint.Inspection.VERSIONS, "pg2");

            assertThat(sizes.shards()).containsOnlyKeys(0, 1).allSatisfy((shard, bytes) -> assertThat(bytes)
                    .isPositive());
            assertThat(sizes.bytes())
                    .isEqualTo(sizes.shards().values().stream()
                            .mapToLong(each -> each)
                            .sum());
            assertThat(versions.versions()).containsExactly(Map.entry("none", 2));
            assertThat(versions.differing()).isEmpty();
            assertThat(endpoint.inspect(ShardsEndpoint.Inspection.SIZES, "pg1"))
                    .as("kept for a while")
                    .isSameAs(sizes);
            for (ShardsEndpoint.Inspection each :
                    List.of(ShardsEndpoint.Inspection.SIZES, ShardsEndpoint.Inspection.VERSIONS)) {
                assertThatThrownBy(() -> endpoint.inspect(each, "pg9")).hasMessageContainingAll("pg9", "pg1", "pg2");
            }
        });
    }

    @Test
    @Tag("quick")
    void itIsThereWhereItIsExposedAndChangesNothingUnlessItMay() {
        application.run(context ->
                assertThat(context).doesNotHaveBean(ShardsEndpoint.class).doesNotHaveBean(BackgroundMoves.class));
        assertThat(ShardsEndpoint.class.getAnnotation(Endpoint.class).defaultAccess())
                .isEqualTo(Access.READ_ONLY);
    }
}
