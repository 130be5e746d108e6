package io.github.shardedid.ecosystem;

import io.github.shardedid.topology.Cluster;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.batch.core.configuration.annotation.StepScope;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.job.builder.JobBuilder;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.batch.core.step.Step;
import org.springframework.batch.core.step.builder.StepBuilder;
import org.springframework.batch.infrastructure.item.database.JdbcCursorItemReader;
import org.springframework.batch.infrastructure.item.database.builder.JdbcCursorItemReaderBuilder;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.data.domain.AuditorAware;
import org.springframework.data.jpa.repository.config.EnableJpaAuditing;
import org.springframework.transaction.PlatformTransactionManager;

@SpringBootApplication
@EnableJpaAuditing
class EcosystemApp {
    @Bean
    AuditorAware<String> auditor() {
        return () -> Optional.of("ada");
    }

    @Bean
    ShardPartitions partitions(Cluster cluster) {
        return new ShardPartitions(cluster);
    }

    @Bean
    Job retirement(JobRepository jobs, ShardPartitions partitions, Step retire) {
        return new JobBuilder("retirement", jobs)
                .start(new StepBuilder("all shards", jobs)
                        .partitioner("retire", partitions)
                        .step(retire)
                        .taskExecutor(new SimpleAsyncTaskExecutor())
                        .build())
                .build();
    }

    @Bean
    Step retire(
            JobRepository jobs,
            ShardPartitions partitions,
            JdbcCursorItemReader<Long> oldGadgets,
            GadgetRepository gadgets,
            PlatformTransactionManager transactions) {
        return new StepBuilder("retire", jobs)
                .<Long, Long>chunk(100)
                .transactionManager(transactions)
                .reader(oldGadgets)
                .writer(chunk ->
                        gadgets.findAllById(List.copyOf(chunk.getItems())).forEach(gadget -> gadget.retired = true))
                .listener(partitions)
                .build();
    }

    @Bean
    @StepScope
    JdbcCursorItemReader<Long> oldGadgets(DataSource shards) {
        return new JdbcCursorItemReaderBuilder<Long>()
                .name("oldGadgets")
                .dataSource(shards)
                .sql("SELECT id FROM gadget WHERE name = 'old' ORDER BY id")
                .rowMapper((row, number) -> row.getLong(1))
                .build();
    }
}
