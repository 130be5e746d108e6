package io.github.shardedid.boot.rehearsal;

import io.github.shardedid.hibernate.Rehearsal;
import io.github.shardedid.spring.data.RepositoryRoutes;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Reports what shards would change for the application, which runs without them ({@code sharded-id.rehearsal=true}). Logs the report
 * when the application ends, and appends it to the file of the rehearsal. Safe for use by several threads.
 */
public final class ShardRehearsal implements ApplicationListener<ContextClosedEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(ShardRehearsal.class);

    private final ApplicationContext context;
    private final RehearsedTests tests;
    private final RepositoryRoutes routes;
    private final RehearsalRecorder recorder;
    private final ReportFile file;

    ShardRehearsal(
            ApplicationContext context,
            RehearsedTests tests,
            RepositoryRoutes routes,
            RehearsalRecorder recorder,
            ReportFile file) {
        this.context = context;
        this.tests = tests;
        this.routes = routes;
        this.recorder = recorder;
        this.file = file;
    }

    /**
     * The report so far. Needs no database.
     *
     * @return a new report; without mappings and statements if the context has no entity manager factory
     */
    public RehearsalReport report() {
        List<Rehearsal> rehearsals = recorder.statements().rehearsals();
        return new RehearsalReport(
                tests.describe(context),
                rehearsals.stream().flatMap(each -> each.problems().stream()).toList(),
                rehearsals.stream().flatMap(each -> each.assumptions().stream()).toList(),
                rehearsals.stream()
                        .flatMap(each -> each.uniqueInShards().stream())
                        .toList(),
                routes.routes(),
                recorder.calls(),
                recorder.statements().report(),
                recorder.transactions(),
                recorder.withoutKey(),
                recorder.references(),
                recorder.leftOut());
    }

    @Override
    public void onApplicationEvent(ContextClosedEvent closed) {
        if (closed.getApplicationContext() != context) {
            return;
        }
        RehearsalReport report = report();
        String text = recorder.statements().rehearsals().isEmpty()
                ? "Rehearsal of shards: nothing was rehearsed in " + report.context()
                        + ", which has no entity manager factory of Hibernate"
                : new ReportText(report).toString();
        LOG.info("{}", text);
        file.append(text);
    }
}
