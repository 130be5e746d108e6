package io.github.shardedid.boot.autoconfigure;

import static java.util.Map.entry;

import io.github.shardedid.ClusterConfigurationException;
import io.github.shardedid.ShardedIdException;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveGoal;
import io.github.shardedid.move.MovePlan;
import io.github.shardedid.move.MovePlan.PlannedMove;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.MoveRefusedException;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.Provisioner;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.topology.ShardRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.context.event.ApplicationPreparedEvent;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindingPostProcessor;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.core.env.Environment;

/**
 * Runs a command of the command line, such as {@code --sharded-id.move=17:pg2}, before the beans of the application are created, and
 * exits with 0: nothing is served, scheduled or provisioned. A failed command is a failed start, which exits with 1.
 */
final class CommandListener implements ApplicationListener<ApplicationPreparedEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(CommandListener.class);

    /** The commands on shards, by their names. */
    static final Map<String, Consumer<Command>> COMMANDS = Map.ofEntries(
            entry("report-drift", command -> command.provisioner.drift().lines().forEach(LOG::info)),
            entry("check-move", Command::check),
            entry("move", Command::move),
            entry("move-offline", command -> command.each(command.mover::moveOffline)),
            entry("resume-move", command -> command.shards().shards().forEach(command.mover::resume)),
            entry("abort-move", command -> command.shards().shards().forEach(command.mover::abort)),
            entry("show-moves", Command::show),
            entry("stop-plan", command -> LOG.info("{}", Command.text(command.mover.stopPlan(command.value)))),
            entry("drop-old-copy", command -> command.each(command.mover::dropOldCopy)),
            entry("recover", Command::recover),
            entry("drain", command -> command.plan(MoveGoal.drain(command.value))),
            entry("rebalance", command -> command.plan(MoveGoal.BALANCE)));

    /** Post-processors that inject into fields and methods; they are not registered yet. */
    private static final List<String> INJECTION = List.of(
            AnnotationConfigUtils.AUTOWIRED_ANNOTATION_PROCESSOR_BEAN_NAME,
            AnnotationConfigUtils.COMMON_ANNOTATION_PROCESSOR_BEAN_NAME,
            ConfigurationPropertiesBindingPostProcessor.class.getName());

    @Override
    public void onApplicationEvent(ApplicationPreparedEvent event) {
        ApplicationArguments arguments = new DefaultApplicationArguments(event.getArgs());
        List<String> given = PropertyCheck.COMMANDS.stream()
                .filter(name -> arguments.containsOption("sharded-id." + name))
                .sorted()
                .toList();
        if (given.isEmpty()) {
            return;
        }
        if (given.size() > 1) {
            throw new ClusterConfigurationException(
                    "Only one command can run at a time, but these are given: " + given + ". Remove all but one.");
        }
        String name = given.get(0);
        String value = String.join(",", arguments.getOptionValues("sharded-id." + name));
        Environment environment = event.getApplicationContext().getEnvironment();
        if (!ConfiguredCluster.isConfigured(environment)) {
            throw new ClusterConfigurationException(
                    "sharded-id." + name + " is given, but sharded-id.databases names no"
                            + " database. Run it with the configuration of the application.");
        }
        ConfiguredCluster cluster = ConfiguredCluster.of(environment);
        BeanFactoryPostProcessor work = beans -> {
            run(name, value, environment, cluster, beans);
            LOG.info("sharded-id.{} is done; the application is not started", name);
            System.exit(0);
        };
        // A manually registered singleton runs last: all bean definitions are known then, and placeholders are
        // resolved.
        event.getApplicationContext().getBeanFactory().registerSingleton("shardedIdCommand", work);
    }

    /**
     * Creates the entity manager factory for claims, and for the rows of a key; else the bean of the migrations, the beans that customize Flyway or know
     * connections, and those that these depend on.
     */
    private static void run(
            String name,
            String value,
            Environment environment,
            ConfiguredCluster configured,
            ConfigurableListableBeanFactory beans) {
        INJECTION.stream()
                .filter(beans::containsBeanDefinition)
                .forEach(each -> beans.addBeanPostProcessor(beans.getBean(each, BeanPostProcessor.class)));
        if (RowsCommand.COMMANDS.containsKey(name)) {
            new RowsCommand("sharded-id." + name, value, beans).run();
            return;
        }
        ConfiguredCluster cluster = configured.with(ConnectionBeans.of(beans));
        try (ShardedDatabases pools = cluster.openPools()) {
            ShardMigrations migrations = beans.getBeanProvider(ShardMigrations.class, false)
                    .getIfAvailable(() -> cluster.migrations(CommandListener.class.getClassLoader()));
            new Command(
                            "sharded-id." + name,
                            value,
                            environment,
                            cluster.mover(pools, migrations, List.of()),
                            cluster.provisioner(pools, migrations))
                    .run();
        } catch (ShardedIdException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("sharded-id." + name + " failed", e);
        }
    }

    /** A command with its value, and what it works on. It logs its progress. */
    record Command(String property, String value, Environment environment, ShardMover mover, Provisioner provisioner) {
        void run() {
            Objects.requireNonNull(COMMANDS.get(property.substring("sharded-id.".length())))
                    .accept(this);
        }

        /** The shards in a value such as {@code 17,20-29} or {@code 17,20-29:pg2}. */
        private ShardRanges shards() {
            try {
                ShardRanges ranges = ShardRanges.parse(value.replaceFirst(":.*", ""));
                if (ranges.shards().findAny().isPresent()) {
                    return ranges;
                }
            } catch (ClusterConfigurationException e) {
                throw new ClusterConfigurationException(
                        property + " cannot be \"" + value + "\". " + e.getMessage(), e);
            }
            throw new ClusterConfigurationException(property + " names no shard. Write one, such as 17.");
        }

        /** Does something with each shard and the database. */
        private void each(BiConsumer<Integer, String> work) {
            shards().shards().forEach(shard -> work.accept(shard, database()));
        }

        /** The database in a value such as {@code 17,20-29:pg2}. */
        private String database() {
            String[] parts = value.split(":", 2);
            if (parts.length < 2 || parts[1].isBlank()) {
                throw new ClusterConfigurationException(property + " cannot be \"" + value
                        + "\". Write shards, a colon and a database, such as 17:pg2.");
            }
            return parts[1].strip();
        }

        private void check() {
            String database = database();
            List<Integer> blocked = new ArrayList<>();
            shards().shards().forEach(shard -> {
                List<String> obstacles = mover.check(shard, database);
                if (!obstacles.isEmpty()) {
                    blocked.add(shard);
                }
                LOG.info(
                        "Shard {} → {}: {}",
                        shard,
                        database,
                        obstacles.isEmpty() ? "no obstacles" : String.join("\n  ", obstacles));
            });
            if (!blocked.isEmpty()) {
                throw new MoveRefusedException("There are obstacles to moving shards " + blocked + " to database "
                        + database + "; they are listed above. Nothing was changed.");
            }
        }

        /** Several shards are a plan, which another instance continues if this process stops. */
        private void move() {
            int[] shards = shards().shards().toArray();
            MoveGoal goal = MoveGoal.move(shards(), database());
            if (shards.length == 1) {
                mover.move(shards[0], database());
            } else if (!mover.plan(goal).isEmpty()) {
                mover.run(mover.begin(goal, false));
            }
        }

        private static String text(MovePlan plan) {
            return plan + ": " + plan.state() + ", " + plan.done() + " of " + plan.total() + " moves have ended"
                    + (plan.offline() ? " (offline)" : "") + ", started " + plan.started()
                    + (plan.failure() == null ? "" : ". " + plan.failure());
        }

        private void show() {
            mover.plans().forEach(plan -> LOG.info("{}", text(plan)));
            List<Move> moves = mover.moves();
            if (moves.isEmpty()) {
                LOG.info("No moves");
            }
            moves.forEach(move -> LOG.info(
                    "{}, started {}{}",
                    MoveLog.text(MoveProgress.of(move)),
                    move.started(),
                    move.failure() == null ? "" : ". " + move.failure()));
        }

        private void recover() {
            ShardRanges shards = shards();
            shards.shards().forEach(shard -> mover.copies(shard).forEach(copy -> LOG.info("{}", copy)));
            if (value.indexOf(':') < 0) {
                LOG.info(
                        "Nothing was changed. With a database, such as --{}={}:pg1, this command makes the copy there the"
                                + " shard; rows that are only in other copies remain there",
                        property,
                        value);
            } else {
                each(mover::recover);
                LOG.info("Database {} owns the shards {}", database(), shards);
            }
        }

        private void plan(MoveGoal goal) {
            boolean online = environment.getProperty("sharded-id.run-plan", Boolean.class, false);
            boolean offline = environment.getProperty("sharded-id.run-plan-offline", Boolean.class, false);
            if (online && offline) {
                throw new ClusterConfigurationException(
                        "sharded-id.run-plan and sharded-id.run-plan-offline are both given: a plan runs either with logical"
                                + " replication or offline. Remove one of them.");
            }
            List<PlannedMove> moves = mover.plan(goal);
            moves.forEach(move ->
                    LOG.info("Shard {} {} → {}: {} bytes", move.shard(), move.source(), move.target(), move.bytes()));
            if (moves.isEmpty()) {
                LOG.info("Nothing to move");
            } else if (online || offline) {
                mover.run(mover.begin(goal, offline));
            } else {
                LOG.info("Nothing was moved. Add --sharded-id.run-plan=true to run the plan, or"
                        + " --sharded-id.run-plan-offline=true to copy each shard while it is fenced");
            }
        }
    }
}
