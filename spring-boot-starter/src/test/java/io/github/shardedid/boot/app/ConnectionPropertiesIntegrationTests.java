package io.github.shardedid.boot.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.github.shardedid.boot.autoconfigure.ConfiguredCluster;
import io.github.shardedid.boot.autoconfigure.ShardedDatabases;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ShardMigrations;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.domain.Limit;
import org.springframework.jdbc.core.JdbcTemplate;

/** Each connection property of the driver and each setting of HikariCP, at another value than its default, or refused by name. */
class ConnectionPropertiesIntegrationTests {
    private static final String CLASS = ConnectionPropertiesIntegrationTests.class.getName();

    /** What is needed for one property to have an effect stands with it, and properties that do not touch each other stand together. */
    private static final List<String> DRIVER = List.of(
            "adaptiveFetch=true defaultRowFetchSize=1 maxResultBuffer=10M adaptiveFetchMaximum=9 adaptiveFetchMinimum=2",
            "allowEncodingChanges=true ApplicationName=other binaryTransfer=false connectTimeout=30 loginTimeout=30"
                    + " connectExecutor=" + CLASS + "$Direct connectExecutorArg=none convertBooleanToNumeric=true",
            "assumeMinServerVersion=15 groupStartupParameters=true authenticationPluginClassName=none.Such requireAuth=!gss"
                    + " channelBinding=disable scramMaxIterations=5000 binaryTransferEnable=int8,text hideUnprivilegedObjects=true",
            "autosave=conservative cleanupSavepoints=true databaseMetadataCacheFields=0 databaseMetadataCacheFieldsMiB=0",
            "binaryTransferDisable=int8 cancelSignalTimeout=1 classLoaderStrategy=context-first disableColumnSanitiser=true"
                    + " escapeSyntaxCallMode=call hostRecheckSeconds=1 loadBalanceHosts=true localSocketAddress=127.0.0.1",
            "defaultRowFetchSize=1 logUnclosedConnections=true loggerFile=other loggerLevel=DEBUG",
            "flushCacheOnDdl=false logServerErrorDetail=false maxSendBufferSize=1024 receiveBufferSize=4096"
                    + " sendBufferSize=4096 tcpKeepAlive=false tcpNoDelay=false",
            "gssEncMode=disable gsslib=gssapi gssResponseTimeout=1000 gssUseDefaultCreds=true jaasApplicationName=other"
                    + " jaasLogin=false kerberosServerName=other useSpnego=true sspiServiceClass=OTHER",
            "options=-c%20DateStyle=German",
            "PGHOST=127.0.0.1 PGPORT=1 PGDBNAME=other service=other", // The address in the URL takes precedence.
            "preferQueryMode=extendedForPrepared",
            "preferQueryMode=extendedCacheEverything",
            "preparedStatementCacheQueries=0 prepareThreshold=1",
            "preparedStatementCacheSizeMiB=0 protocolVersion=3",
            "prepareThreshold=0 queryTimeout=60 socketTimeout=120",
            "quoteReturningIdentifiers=false readOnlyMode=ignore targetServerType=primary",
            "readOnly=true readOnlyMode=always", // HikariCP sets what its own setting says.
            "reWriteBatchedInserts=true reWriteBatchedInsertsSize=2",
            "socketFactory=" + CLASS + "$Sockets socketFactoryArg=none",
            "ssl=false sslmode=disable sslNegotiation=postgres sslResponseTimeout=1000 sslcert=c sslkey=k sslrootcert=r"
                    + " sslfactory=f sslfactoryarg=a sslhostnameverifier=v sslpassword=p sslpasswordcallback=b pemKeyAlgorithm=EC",
            "stringtype=unspecified",
            "stringtype=varchar unknownLength=10 xmlFactoryFactory=LEGACY_INSECURE");

    private static final Set<String> REFUSED = Set.of("currentSchema", "replication");

    /** Of HikariCP. */
    private static final List<String> POOL = List.of(
            "autoCommit=false isolateInternalQueries=true",
            "allowPoolSuspension=true registerMbeans=true",
            "catalog=other",
            "connectionInitSql=SET%20work_mem='8MB' connectionTestQuery=SELECT%201",
            "driverClassName=org.postgresql.Driver",
            "exceptionOverrideClassName=" + CLASS + "$Overrides",
            "initializationFailTimeout=60000 minimumIdle=1 idleTimeout=15000 keepaliveTime=30000 maxLifetime=60000",
            "leakDetectionThreshold=60000 validationTimeout=4000 connectionTimeout=60000",
            "maximumPoolSize=1",
            "poolName=other");

    /** Refused, tested with the others, or below. */
    private static final Set<String> OF_POOL_ELSEWHERE = Set.of(
            "schema",
            "credentialsProviderClassName",
            "dataSourceClassName",
            "dataSourceJNDI",
            "jdbcUrl",
            "username",
            "password",
            "readOnly",
            "transactionIsolation");

    /** Connects in the calling thread. */
    public static final class Direct implements Executor {
        public Direct() {}

        public Direct(String argument) {}

        @Override
        public void execute(Runnable command) {
            command.run();
        }
    }

    /** The usual sockets. */
    public static final class Sockets extends SocketFactory {
        public Sockets() {}

        @Override
        public Socket createSocket() {
            return new Socket();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException();
        }
    }

    /** Nothing is overridden. */
    public static final class Overrides implements SQLExceptionOverride {}

    private static RunningApp start(String prefix, String settings) {
        return RunningApp.on(PostgresServers.shared(1), PostgresServers.shared(2), properties(prefix, settings));
    }

    private static String[] properties(String prefix, String settings) {
        return Stream.concat(
                        Stream.of(
                                "sharded-id.shards=2",
                                "sharded-id.databases.pg1.shards=0",
                                "sharded-id.databases.pg2.shards=1"),
                        Stream.of(settings.split(" ")).map(setting -> prefix + setting.replace("%20", " ")))
                .toArray(String[]::new);
    }

    private static Set<String> names(List<String> table) {
        return table.stream()
                .flatMap(line -> Arrays.stream(line.split(" ")))
                .map(setting -> setting.substring(0, setting.indexOf('=')))
                .collect(Collectors.toCollection(HashSet::new));
    }

    @Test
    void noneIsUnknown() {
        Set<String> ofDriver = names(DRIVER);
        ofDriver.addAll(REFUSED);
        ofDriver.addAll(Set.of("user", "password"));
        assertThat(ofDriver)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(PGProperty.values())
                        .map(PGProperty::getName)
                        .toList());
        Set<String> ofPool = names(POOL);
        ofPool.addAll(OF_POOL_ELSEWHERE);
        assertThat(ofPool)
                .containsExactlyInAnyOrderElementsOf(Stream.of(HikariConfig.class.getMethods())
                        .filter(method -> method.getName().startsWith("set") && method.getParameterCount() == 1)
                        .filter(method -> method.getParameterTypes()[0].isPrimitive()
                                || method.getParameterTypes()[0] == String.class)
                        .map(method -> method.getName().substring(3, 4).toLowerCase(Locale.ROOT)
                                + method.getName().substring(4))
                        .collect(Collectors.toSet()));
    }

    /** From the first start to a move: with savepoints before statements, and without parameters on the server. */
    @ParameterizedTest
    @ValueSource(strings = {"autosave=always", "preferQueryMode=simple"})
    void everythingWorks(String setting) {
        try (RunningApp app = start("sharded-id.hikari.data-source-properties.", setting)) {
            use(app, true);
            ConfiguredCluster cluster = ConfiguredCluster.of(app.context.getEnvironment());
            try (ShardedDatabases pools = cluster.openPools()) {
                ShardMover mover = cluster.mover(pools, app.bean(ShardMigrations.class), List.of());
                assertThat(mover.check(0, "pg2")).isEmpty();
                mover.move(0, "pg2");
                mover.moveOffline(0, "pg1");
            } catch (Exception e) {
                throw new AssertionError(setting, e);
            }
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @FieldSource("DRIVER")
    void ofTheDriver(String settings) {
        try (RunningApp app = start("sharded-id.hikari.data-source-properties.", settings)) {
            use(app, true);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @FieldSource("POOL")
    void ofThePool(String settings) {
        try (RunningApp app = start("sharded-id.hikari.", settings)) {
            use(app, true);
        }
    }

    @Test
    @Tag("slow")
    void ofThePoolWithAnIsolationLevelQueriesOverShardsAreOutsideOfTransactions() {
        try (RunningApp app = start("sharded-id.hikari.", "transactionIsolation=TRANSACTION_SERIALIZABLE")) {
            use(app, false);
        }
    }

    @Test
    @Tag("slow")
    void ofThePoolReadOnlyForAnInstanceThatReads() {
        try (RunningApp app = start("sharded-id.hikari.", "poolName=first")) {
            Photo photo = app.photoOf(app.userIn(1), "read");
            try (ConfigurableApplicationContext second = app.start(properties("sharded-id.hikari.", "readOnly=true"))) {
                PhotosEverywhere everywhere = second.getBean(PhotosEverywhere.class);
                assertThat(everywhere.countByCaption("read")).isEqualTo(1);
                assertThat(second.getBean(PhotoRepository.class).findById(photo.id()))
                        .isPresent();
            }
        }
    }

    /** Tables of the same names in {@code public} stay as they are. */
    private static void use(RunningApp app, boolean everywhereInTransaction) {
        app.databases.forEach(
                database -> database.execute("CREATE TABLE public.app_user AS SELECT 1::bigint AS id, 'other' AS name;"
                        + " CREATE TABLE public.photo (id bigint, author_id bigint, caption text)"));
        JdbcTemplate jdbc = app.bean(JdbcTemplate.class);
        PhotoRepository photos = app.bean(PhotoRepository.class);
        PhotosEverywhere everywhere = app.bean(PhotosEverywhere.class);
        User first = app.userIn(0);
        User second = app.userIn(1);
        Photo photo = app.photoOf(first, "before");
        app.photoOf(second, "before");
        assertThat(photos.findById(photo.id()))
                .get()
                .extracting(Photo::getCaption)
                .isEqualTo("before");
        assertThat(everywhere.findByCaptionOrderByIdDesc("before", Limit.of(5))).hasSize(2);
        for (int i = 0; i < 7; i++) {
            assertThat(name(jdbc, 0, first)).isEqualTo("user of 0");
            assertThat(name(jdbc, 1, second)).isEqualTo("user of 1");
            assertThat(ShardContext.call(0, () -> jdbc.update("UPDATE app_user SET name = name")))
                    .isEqualTo(1);
        }
        app.inTransaction(() -> {
            assertThat(name(jdbc, 1, second)).isEqualTo("user of 1");
            photos.findById(photo.id()).orElseThrow().setCaption("after");
            photos.saveAll(List.of(new Photo(first, "after"), new Photo(first, "after"), new Photo(first, "after")));
            if (everywhereInTransaction) {
                assertThat(everywhere.countByCaption("after")).isEqualTo(4);
            }
        });
        assertThatExceptionOfType(DataIntegrityViolationException.class)
                .isThrownBy(() -> app.inTransaction(() -> {
                    photos.findById(photo.id()).orElseThrow().setCaption("never");
                    photos.flush();
                    ShardContext.call(
                            0, () -> jdbc.update("INSERT INTO app_user (id, name) VALUES (?, 'again')", first.id()));
                }));
        assertThat(everywhere.countByCaption("after")).isEqualTo(4);
        assertThat(app.query(0, "SELECT caption FROM $.photo")).hasSize(4).containsOnly("after");
        assertThat(app.databases.get(1).query("SELECT caption FROM shard_0001.photo"))
                .containsExactly("before");
        app.databases.forEach(database -> {
            assertThat(database.query("SELECT name FROM public.app_user")).containsExactly("other");
            assertThat(database.query("SELECT caption FROM public.photo")).isEmpty();
        });
    }

    private static String name(JdbcTemplate jdbc, int shard, User user) {
        return ShardContext.call(
                shard, () -> jdbc.queryForObject("SELECT name FROM app_user WHERE id = ?", String.class, user.id()));
    }
}
