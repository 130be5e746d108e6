package io.github.shardedid.libraries;

import io.github.shardedid.routing.ShardContext;
import javax.sql.DataSource;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.repeat.RepeatStatus;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.quartz.QuartzJobBean;
import org.springframework.transaction.PlatformTransactionManager;

/** Its jobs write to shards, while the libraries keep their own tables in the global database. */
@SpringBootApplication
class LibrariesApp {
    @Bean
    Job nightly(JobRepository jobs, PlatformTransactionManager transactions, NoteRepository notes) {
        return new org.springframework.batch.core.job.builder.JobBuilder("nightly", jobs)
                .start(new StepBuilder("write", jobs)
                        .tasklet(
                                (contribution, chunk) -> {
                                    ShardContext.run(6, () -> notes.save(new Note("by Batch")));
                                    return RepeatStatus.FINISHED;
                                },
                                transactions)
                        .build())
                .build();
    }

    @Bean
    JobDetail reminder() {
        return JobBuilder.newJob(Reminder.class)
                .withIdentity("reminder")
                .storeDurably()
                .build();
    }

    @Bean
    Trigger now(JobDetail reminder) {
        return TriggerBuilder.newTrigger().forJob(reminder).startNow().build();
    }

    /** Quartz makes one for each execution. */
    static class Reminder extends QuartzJobBean {
        private final NoteRepository notes;

        Reminder(NoteRepository notes) {
            this.notes = notes;
        }

        @Override
        protected void executeInternal(JobExecutionContext context) {
            ShardContext.run(2, () -> notes.save(new Note("by Quartz")));
        }
    }

    @Bean
    LockProvider locks(@Qualifier("globalDataSource") DataSource global) {
        return new JdbcTemplateLockProvider(JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(global))
                .usingDbTime()
                .build());
    }
}
