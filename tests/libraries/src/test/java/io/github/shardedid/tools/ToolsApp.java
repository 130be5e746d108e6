package io.github.shardedid.tools;

import brave.Tracing;
import brave.handler.MutableSpan;
import brave.handler.SpanHandler;
import brave.propagation.ThreadLocalCurrentTraceContext;
import brave.propagation.TraceContext;
import brave.sampler.Sampler;
import com.blazebit.persistence.Criteria;
import com.blazebit.persistence.CriteriaBuilderFactory;
import com.blazebit.persistence.view.EntityViewManager;
import com.blazebit.persistence.view.EntityViews;
import com.blazebit.persistence.view.spi.EntityViewConfiguration;
import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import jakarta.persistence.EntityManagerFactory;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.lock.LockRepository;
import org.springframework.integration.jdbc.store.JdbcMessageStore;
import org.springframework.transaction.PlatformTransactionManager;

@SpringBootApplication
@EnableCaching
class ToolsApp {
    /** What has been reported to the tracer. */
    static final Queue<MutableSpan> SPANS = new ConcurrentLinkedQueue<>();

    @Bean
    OneTimeTask<Integer> cooking(Kitchen kitchen) {
        return Tasks.oneTime("cooking", Integer.class)
                .execute((task, context) -> kitchen.cook(task.getData(), "by db-scheduler"));
    }

    @Bean(initMethod = "start", destroyMethod = "stop")
    Scheduler scheduler(@Qualifier("globalDataSource") DataSource global, OneTimeTask<Integer> cooking) {
        return Scheduler.create(global, cooking)
                .threads(2)
                .pollingInterval(Duration.ofMillis(100))
                .build();
    }

    @Bean
    DefaultLockRepository lockRepository(
            @Qualifier("globalDataSource") DataSource global,
            @Qualifier("globalTransactionManager") PlatformTransactionManager transactions) {
        DefaultLockRepository locks = new DefaultLockRepository(global);
        locks.setTransactionManager(transactions);
        return locks;
    }

    @Bean
    JdbcLockRegistry locks(LockRepository repository) {
        return new JdbcLockRegistry(repository);
    }

    @Bean
    JdbcMessageStore messages(@Qualifier("globalDataSource") DataSource global) {
        return new JdbcMessageStore(global);
    }

    @Bean
    ConcurrentMapCacheManager caches() {
        return new ConcurrentMapCacheManager();
    }

    @Bean
    CriteriaBuilderFactory criteria(EntityManagerFactory factory) {
        return Criteria.getDefault().createCriteriaBuilderFactory(factory);
    }

    @Bean
    EntityViewManager views(CriteriaBuilderFactory criteria) {
        EntityViewConfiguration views = EntityViews.createDefaultConfiguration();
        views.addEntityView(RecipeView.class);
        views.addEntityView(RecipeView.Part.class);
        views.addEntityView(RecipeTitle.class);
        views.addEntityView(RecipeTitle.Loaded.class);
        return views.createEntityViewManager(criteria);
    }

    @Bean
    Tracing tracing() {
        return Tracing.newBuilder()
                .currentTraceContext(ThreadLocalCurrentTraceContext.newBuilder().build())
                .sampler(Sampler.ALWAYS_SAMPLE)
                .addSpanHandler(new SpanHandler() {
                    @Override
                    public boolean end(TraceContext context, MutableSpan span, Cause cause) {
                        return SPANS.add(span);
                    }
                })
                .build();
    }

    @Bean
    Tracer tracer(Tracing tracing) {
        return new BraveTracer(tracing.tracer(), new BraveCurrentTraceContext(tracing.currentTraceContext()));
    }

    @Bean
    DefaultTracingObservationHandler spans(Tracer tracer) {
        return new DefaultTracingObservationHandler(tracer);
    }
}
