package io.github.shardedid.boot.unique;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.hibernate.DuplicateValueException;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** A value that is unique over all shards, by repositories and transactions of Spring. */
@Tag("quick")
class UniqueAcrossShardsIntegrationTests {
    private static final List<TestDatabase> databases = new ArrayList<>();
    static ConfigurableApplicationContext context;
    static CustomerRepository customers;

    @BeforeAll
    static void start() {
        List<String> properties = new ArrayList<>(List.of(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "sharded-id.shards=8",
                "sharded-id.migrations=classpath:db/unique",
                "sharded-id.databases.pg1.shards=0-3",
                "sharded-id.databases.pg2.shards=4-7"));
        for (int i = 1; i <= 2; i++) {
            TestDatabase database = PostgresServers.shared(i).newDatabase();
            databases.add(database);
            properties.addAll(DatabaseProperties.of("pg" + i, database));
        }
        context = new SpringApplicationBuilder(UniqueApp.class)
                .properties(properties.toArray(String[]::new))
                .run();
        customers = context.getBean(CustomerRepository.class);
    }

    @AfterAll
    static void stop() {
        context.close();
        databases.forEach(TestDatabase::drop);
    }

    @Test
    void aTakenAddressIsRefusedInWhateverShard() {
        assertThat(UniqueApp.signUp(customers, "ann@example.org")).isTrue();
        for (int shard = 0; shard < 8; shard++) {
            assertThat(ShardContext.<Boolean>call(shard, () -> UniqueApp.signUp(customers, "Ann@example.org")))
                    .isFalse();
        }
    }

    @Test
    void theExceptionIsThatOfSpringAtCommitAndAtFlush() {
        Customer bob = customers.save(new Customer("bob@example.org"));
        assertThatThrownBy(() -> context.getBean(TransactionTemplate.class)
                        .executeWithoutResult(status -> customers.save(new Customer("bob@example.org"))))
                .isInstanceOf(DuplicateKeyException.class)
                .hasCauseInstanceOf(DuplicateValueException.class)
                .hasMessageContaining("that of the row with id " + bob.getId());
        assertThatThrownBy(() -> customers.saveAndFlush(new Customer("bob@example.org")))
                .isInstanceOf(DuplicateKeyException.class);
    }

    @Test
    void otherViolationsAreTranslatedAsEver() {
        Customer customer = customers.save(new Customer("carl@example.org"));
        assertThatThrownBy(() -> ShardContext.run(0, () -> context.getBean(JdbcTemplate.class)
                        .update("INSERT INTO customer (id, email) VALUES (0, NULL)")))
                .isExactlyInstanceOf(DataIntegrityViolationException.class);
        customers.delete(customer);
        assertThat(UniqueApp.signUp(customers, "carl@example.org")).isTrue();
    }

    @Test
    void severalRowsAreSavedOrRefusedTogether() {
        List<Customer> many = IntStream.range(0, 20)
                .mapToObj(i -> new Customer("many" + i + "@example.org"))
                .toList();
        ShardContext.run(3, () -> context.getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> customers.saveAll(many)));
        List<Customer> more = List.of(new Customer("new@example.org"), new Customer("many7@example.org"));
        assertThatThrownBy(() -> ShardContext.run(5, () -> context.getBean(TransactionTemplate.class)
                        .executeWithoutResult(status -> customers.saveAll(more))))
                .isInstanceOf(DuplicateKeyException.class);
        assertThat(UniqueApp.signUp(customers, "new@example.org")).isTrue();
    }
}
