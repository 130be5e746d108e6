package io.github.shardedid.tools;

import static io.github.shardedid.tools.RunningTools.bean;
import static io.github.shardedid.tools.RunningTools.recipe;
import static org.assertj.core.api.Assertions.assertThat;

import brave.handler.MutableSpan;
import io.github.shardedid.routing.ShardContext;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The spans of observations by Micrometer Tracing with Brave. */
@Tag("slow")
class TracedIntegrationTests {
    private final RecipeRepository recipes = bean(RecipeRepository.class);
    private final Tracer tracer = bean(Tracer.class);

    @BeforeEach
    void forgetSpans() {
        ToolsApp.SPANS.clear();
    }

    private static <T> T inSpan(Callable<T> work) throws Exception {
        return Observation.createNotStarted("request", bean(ObservationRegistry.class))
                .observeChecked(work::call);
    }

    private static List<MutableSpan> spans(String prefix) {
        return ToolsApp.SPANS.stream()
                .filter(span -> span.name() != null && span.name().startsWith(prefix))
                .toList();
    }

    private static MutableSpan span(String name) {
        assertThat(spans(name)).hasSize(1);
        return spans(name).get(0);
    }

    private static @Nullable String tag(MutableSpan span, String name) {
        return span.tag(name);
    }

    @Test
    void statementsAreChildrenOfTheRequest() throws Exception {
        Recipe recipe = recipe(6, "traced");
        forgetSpans();

        inSpan(() -> recipes.findAllById(List.of(recipe.id())));

        MutableSpan statement = span("read pg2");
        assertThat(statement.traceId()).isEqualTo(span("request").traceId());
        assertThat(tag(statement, "shard")).isEqualTo("6");
        assertThat(tracer.currentSpan()).isNull();
    }

    @Test
    void statementsInOtherThreadsAreChildrenOfTheQueryOverAllShards() throws Exception {
        inSpan(() -> recipes.findByTitleOrderById("nobody's"));

        MutableSpan query = span("query over several shards");
        assertThat(query.traceId()).isEqualTo(span("request").traceId());
        assertThat(spans("all_shards pg")).hasSize(2).allSatisfy(statement -> assertThat(statement.parentId())
                .isEqualTo(query.id()));
        assertThat(tracer.currentSpan()).isNull();

        forgetSpans();
        recipes.findByTitleOrderById("nobody's");
        assertThat(span("query over several shards").traceId()).isNotEqualTo(query.traceId());
    }

    @Test
    void spansAndScopesArePropagatedTogether() throws Exception {
        recipe(6, "propagated");
        forgetSpans();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try {
            ExecutorService propagating = ContextExecutorService.wrap(
                    pool, ContextSnapshotFactory.builder().build()::captureAll);
            List<String> found = inSpan(() -> ShardContext.<Callable<List<String>>>call(6, () -> {
                        var later = propagating.submit(() -> recipes.titles("propagated"));
                        return later::get;
                    })
                    .call());

            assertThat(found).containsExactly("propagated");
            assertThat(span("read pg2").traceId()).isEqualTo(span("request").traceId());
            assertThat(pool.submit(tracer::currentSpan).get()).isNull();
            assertThat(pool.submit(ShardContext::current).get()).isEmpty();
        } finally {
            pool.shutdown();
        }
    }
}
