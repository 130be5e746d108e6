package io.github.shardedid.tools;

import static io.github.shardedid.tools.RunningTools.DATABASES;
import static io.github.shardedid.tools.RunningTools.bean;
import static io.github.shardedid.tools.RunningTools.global;
import static io.github.shardedid.tools.RunningTools.recipe;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import java.time.Instant;
import java.util.concurrent.locks.Lock;
import javax.sql.DataSource;
import org.jobrunr.scheduling.JobScheduler;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.jdbc.store.JdbcMessageStore;
import org.springframework.integration.support.MessageBuilder;
import org.springframework.messaging.Message;
import org.springframework.security.acls.domain.AclAuthorizationStrategyImpl;
import org.springframework.security.acls.domain.BasePermission;
import org.springframework.security.acls.domain.ConsoleAuditLogger;
import org.springframework.security.acls.domain.DefaultPermissionGrantingStrategy;
import org.springframework.security.acls.domain.ObjectIdentityImpl;
import org.springframework.security.acls.domain.PrincipalSid;
import org.springframework.security.acls.domain.SpringCacheBasedAclCache;
import org.springframework.security.acls.jdbc.BasicLookupStrategy;
import org.springframework.security.acls.jdbc.JdbcMutableAclService;
import org.springframework.security.acls.model.MutableAcl;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.authority.SimpleGrantedAuthority;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Libraries of docs/libraries.md: those with tables in the global database, and Spring's caches. */
@Tag("slow")
class ToolsIntegrationTests {
    private static void awaitTitle(int shard, String title) {
        await().untilAsserted(() -> assertThat(
                        DATABASES.query(shard, "SELECT title FROM $.recipe WHERE title = '" + title + "'"))
                .hasSize(1));
    }

    @Test
    @SuppressWarnings("unchecked")
    void dbSchedulerRunsTasks() {
        bean(Scheduler.class).schedule(bean(OneTimeTask.class).instance("1", 6), Instant.now());

        awaitTitle(6, "by db-scheduler");
        await().untilAsserted(() ->
                assertThat(global("SELECT task_name FROM $.scheduled_tasks")).isEmpty());
    }

    @Test
    void jobRunrRunsJobs() {
        bean(JobScheduler.class).<Kitchen>enqueue(kitchen -> kitchen.cook(5, "by JobRunr"));

        awaitTitle(5, "by JobRunr");
        await().untilAsserted(() ->
                assertThat(global("SELECT state FROM $.jobrunr_jobs")).containsExactly("SUCCEEDED"));
    }

    @Test
    void jobRunrDoesNotStartOnTheShards() {
        assertThatThrownBy(() -> SqlStorageProviderFactory.using(bean(DataSource.class)))
                .hasStackTraceContaining("NoShardException");
    }

    @Test
    void locksOfSpringIntegrationAreGlobal() {
        Lock lock = bean(JdbcLockRegistry.class).obtain("nightly");
        DefaultLockRepository other = new DefaultLockRepository(bean("globalDataSource", DataSource.class));
        other.setTransactionManager(bean("globalTransactionManager", PlatformTransactionManager.class));
        other.afterPropertiesSet();
        other.afterSingletonsInstantiated();
        assertThat(lock.tryLock()).isTrue();

        assertThat(global("SELECT count(*) FROM $.int_lock")).containsExactly("1");
        assertThat(new JdbcLockRegistry(other).obtain("nightly").tryLock()).isFalse();
        lock.unlock();
        assertThat(global("SELECT count(*) FROM $.int_lock")).containsExactly("0");
    }

    @Test
    void messagesOfSpringIntegrationAreGlobal() {
        Message<String> message = MessageBuilder.withPayload("soup").build();
        bean(JdbcMessageStore.class).addMessage(message);

        Message<?> stored = bean(JdbcMessageStore.class)
                .getMessage(requireNonNull(message.getHeaders().getId()));
        assertThat(requireNonNull(stored).getPayload()).isEqualTo("soup");
        assertThat(global("SELECT count(*) FROM $.int_message")).containsExactly("1");
    }

    @Test
    void accessControlListsNameShardedIds() {
        Recipe recipe = recipe(6, "secret");
        SimpleGrantedAuthority admin = new SimpleGrantedAuthority("ADMIN");
        SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("ada", "", "ADMIN"));
        ObjectIdentityImpl identity = new ObjectIdentityImpl(Recipe.class, recipe.id());

        new TransactionTemplate(bean("globalTransactionManager", PlatformTransactionManager.class))
                .executeWithoutResult(status -> {
                    JdbcMutableAclService acls = acls(admin);
                    MutableAcl acl = acls.createAcl(identity);
                    acl.insertAce(0, BasePermission.READ, new PrincipalSid("bob"), true);
                    acls.updateAcl(acl);
                });

        assertThat(acls(admin).readAclById(identity).getEntries())
                .singleElement()
                .matches(entry -> entry.getSid().equals(new PrincipalSid("bob")));
        assertThat(global("SELECT object_id_identity FROM $.acl_object_identity"))
                .containsExactly(Long.toString(recipe.id()));
    }

    private static JdbcMutableAclService acls(SimpleGrantedAuthority admin) {
        AclAuthorizationStrategyImpl strategy = new AclAuthorizationStrategyImpl(admin);
        ConsoleAuditLogger audit = new ConsoleAuditLogger();
        SpringCacheBasedAclCache cache = new SpringCacheBasedAclCache(
                new ConcurrentMapCache("acls"), new DefaultPermissionGrantingStrategy(audit), strategy);
        DataSource global = bean("globalDataSource", DataSource.class);
        JdbcMutableAclService acls =
                new JdbcMutableAclService(global, new BasicLookupStrategy(global, cache, strategy, audit), cache);
        acls.setClassIdentityQuery("select currval(pg_get_serial_sequence('acl_class', 'id'))");
        acls.setSidIdentityQuery("select currval(pg_get_serial_sequence('acl_sid', 'id'))");
        return acls;
    }

    @Test
    void resultsAreCachedByIdAndByScope() {
        RecipeRepository recipes = bean(RecipeRepository.class);
        Recipe near = recipe(1, "cached near");
        Recipe far = recipe(6, "cached far");
        assertThat(recipes.findById(near.id())).map(found -> found.title).contains("cached near");
        DATABASES.pg1().execute("UPDATE shard_0001.recipe SET title = 'cached here' WHERE id = " + near.id());

        assertThat(recipes.findById(near.id())).map(found -> found.title).contains("cached near");
        assertThat(recipes.findById(far.id())).map(found -> found.title).contains("cached far");
        bean(Kitchen.class).rename(far.id(), "cached there");
        assertThat(recipes.findById(far.id())).map(found -> found.title).contains("cached there");

        assertThat(ShardContext.call(1, () -> recipes.titles("cached"))).containsExactly("cached here");
        assertThat(ShardContext.call(6, () -> recipes.titles("cached"))).containsExactly("cached there");
        assertThatThrownBy(() -> recipes.titles("cached")).isInstanceOf(NoShardException.class);
    }
}
