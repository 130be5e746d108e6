package io.github.shardedid.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.shardedid.boot.autoconfigure.ShardedIdAutoConfiguration;
import io.github.shardedid.boot.startup.MovedShards;
import io.github.shardedid.move.MoveStep;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The actuator's endpoint shows the shards of real databases and moves them. */
class ShardsEndpointIntegrationTests {
    private final MovedShards cluster = new MovedShards();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(ShardedIdAutoConfiguration.class, ShardedActuatorAutoConfiguration.class))
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

            endpoint.act("0", "move", "pg2");
            await().untilAsserted(() -> assertThat(endpoint.shards().underWay()).isEmpty());

            assertThat(shard(endpoint, 0).moves()).singleElement().satisfies(move -> assertThat(move.step())
                    .isEqualTo(MoveStep.DONE));
            assertThat(cluster.pg2().query("SELECT generation FROM sharded_id.shard WHERE shard = 0"))
                    .containsExactly("2");
            assertThat(before.toString()).doesNotContain(cluster.password());
        });
    }

    private static ShardsEndpoint.Shard shard(ShardsEndpoint endpoint, int shard) {
        return (ShardsEndpoint.Shard)
                Objects.requireNonNull(endpoint.shard(Integer.toString(shard)).getBody());
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
            await().until(() -> shard(endpoint, 0).moves().get(0).step() == MoveStep.DONE);
            await().untilAsserted(() -> assertThat(endpoint.shards().fenced()).isEmpty());
            assertThat(shard(endpoint, 0).database()).isEqualTo("pg2");
        });
    }

    @Test
    void aShardThatStaysFencedIsNamed() {
        exposed.withPropertyValues("sharded-id.moves.recover=false").run(context -> {
            ShardsEndpoint endpoint = context.getBean(ShardsEndpoint.class);
            killBehindTheFence();
            await().untilAsserted(() -> assertThat(endpoint.shards().fenced()).containsOnlyKeys(0));
            assertThat(shard(endpoint, 0).fenced()).isTrue();
            endpoint.act("0", "abort", null);
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
            assertThat(shard(endpoint, 1).database()).isNull();
            assertThat(shard(endpoint, 1).problem()).contains("--sharded-id.recover=1");
            assertThat(shard(endpoint, 0).problem()).isNull();
        });
    }

    @Test
    @Tag("quick")
    void itIsThereWhereItIsExposedAndChangesNothingUnlessItMay() {
        application.run(context ->
                assertThat(context).doesNotHaveBean(ShardsEndpoint.class).doesNotHaveBean(BackgroundMoves.class));
        assertThat(ShardsEndpoint.class.getAnnotation(WebEndpoint.class).defaultAccess())
                .isEqualTo(Access.READ_ONLY);
    }
}
