package io.github.shardedid.boot.tls;

import static java.util.Objects.requireNonNull;

import io.github.shardedid.test.PostgresServer;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestCertificates;
import io.github.shardedid.test.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two servers with certificates of one authority, which let two roles in: {@value #APP} with a client certificate alone, and {@value
 * #REPLICATION} with a client certificate and a password, as the server asks of subscriptions of who is no superuser.
 */
final class TlsCluster implements AutoCloseable {
    static final String APP = "tls_app";
    static final String REPLICATION = "tls_replication";
    static final String PASSWORD = "S3cret of tls_replication";
    static final String KEY_PASSWORD = "S3cret of the archive";

    final TestCertificates trusted;
    final TestCertificates rogue;
    private final List<PostgresServer> servers;
    final List<TestDatabase> databases;

    TlsCluster(Path directory) {
        trusted = new TestCertificates(directory.resolve("trusted"))
                .sign("localhost")
                .sign(APP)
                .sign(REPLICATION);
        rogue = new TestCertificates(directory.resolve("rogue")).sign("localhost");
        trusted.pkcs8(APP);
        trusted.pkcs12(APP, KEY_PASSWORD);
        servers = List.of(start(directory.resolve("pg1")), start(directory.resolve("pg2")));
        databases = servers.stream().map(TlsCluster::owned).toList();
        // Only now: the servers above are waited for without certificates.
        servers.forEach(TlsCluster::restrict);
    }

    private PostgresServer start(Path directory) {
        try {
            Files.createDirectories(directory);
            present(trusted, directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return PostgresServers.start(Map.of(
                "ssl", "on",
                "ssl_ca_file", trusted.file("ca.crt").toString(),
                "ssl_cert_file", directory.resolve("server.crt").toString(),
                "ssl_key_file", directory.resolve("server.key").toString(),
                "logging_collector", "on",
                "log_statement", "ddl",
                "log_error_verbosity", "verbose"));
    }

    private static void present(TestCertificates authority, Path directory) throws IOException {
        for (String end : List.of(".crt", ".key")) {
            Files.copy(
                    authority.file("localhost" + end),
                    directory.resolve("server" + end),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    /** Lets the servers present certificates of another authority, of the same names, to whoever connects from now on. */
    void presentRogueCertificates() throws IOException {
        for (TestDatabase database : databases) {
            present(rogue, Path.of(database.query("SHOW ssl_cert_file").get(0)).resolveSibling("."));
            database.query("SELECT pg_reload_conf()");
        }
    }

    private static TestDatabase owned(PostgresServer server) {
        TestDatabase database = server.newDatabase();
        database.execute("SET log_statement = none; CREATE ROLE " + APP
                + " LOGIN REPLICATION IN ROLE pg_create_subscription, pg_signal_backend;"
                + " CREATE ROLE " + REPLICATION + " LOGIN REPLICATION PASSWORD '" + PASSWORD
                + "' IN ROLE pg_read_all_data; GRANT CREATE ON DATABASE " + database.name() + " TO " + APP);
        return database;
    }

    private static void restrict(PostgresServer server) {
        TestDatabase postgres = new TestDatabase(server, "postgres");
        Path file = Path.of(postgres.query("SHOW hba_file").get(0));
        try (InputStream documented = TlsCluster.class.getResourceAsStream("/documented/pg_hba.conf")) {
            String lines = new String(requireNonNull(documented).readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("shop_app +", APP + " ")
                    .replaceAll("shop_replication +", REPLICATION + " ");
            String others = "host all " + APP + "," + REPLICATION + " all reject\n";
            Files.writeString(file, lines + others + Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        postgres.query("SELECT pg_reload_conf()");
    }

    String url(int number, String key) {
        TestDatabase database = databases.get(number);
        return database.url() + "?sslmode=verify-full&sslrootcert=" + trusted.file("ca.crt") + "&sslcert="
                + trusted.file(APP + ".crt") + "&sslkey=" + trusted.file(APP + key);
    }

    /** Of pg1 with a direct URL, and a key in PKCS 8; of pg2 with an archive in PKCS 12. */
    Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>(Map.of(
                "spring.main.web-application-type", "none",
                "spring.main.banner-mode", "off",
                "sharded-id.shards", "8",
                "sharded-id.global.database", "pg2",
                "sharded-id.databases.pg1.url", url(0, ".pk8"),
                "sharded-id.databases.pg1.direct-url", url(0, ".pk8"),
                "sharded-id.databases.pg1.shards", "0-3",
                "sharded-id.databases.pg2.url", url(1, ".p12"),
                "sharded-id.databases.pg2.hikari.data-source-properties.sslpassword", KEY_PASSWORD,
                "sharded-id.databases.pg2.shards", "4-7"));
        for (String name : List.of("pg1", "pg2")) {
            String prefix = "sharded-id.databases." + name + ".";
            properties.put(prefix + "username", APP);
            properties.put(prefix + "replication.username", REPLICATION);
            properties.put(prefix + "replication.password", PASSWORD);
            String parameters = prefix + "replication.parameters.";
            properties.put(parameters + "sslrootcert", trusted.file("ca.crt").toString());
            properties.put(
                    parameters + "sslcert", trusted.file(REPLICATION + ".crt").toString());
            properties.put(
                    parameters + "sslkey", trusted.file(REPLICATION + ".key").toString());
        }
        return properties;
    }

    /** What the servers have logged. */
    String logs() {
        StringBuilder all = new StringBuilder();
        databases.forEach(database -> all.append(database.query("SELECT pg_read_file(pg_current_logfile())")));
        return all.toString();
    }

    @Override
    public void close() {
        servers.forEach(PostgresServer::close);
    }
}
