package io.github.shardedid.test;

import java.util.List;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/** PostgreSQL 17 in a container, on a port of this machine that stays the same over a restart. */
final class ContainerPostgresServer implements PostgresServer {
    private final int port = FreePort.find();
    private final PostgreSQLContainer container;

    ContainerPostgresServer() {
        container = new PostgreSQLContainer("postgres:17")
                .withUsername(username())
                .withPassword(password())
                .withDatabaseName("postgres")
                .withCommand(command(
                        "max_connections=300",
                        "max_wal_size=96MB",
                        "min_wal_size=32MB",
                        "wal_level=logical",
                        "fsync=off"));
        container.setPortBindings(List.of(port + ":5432"));
        container.start();
    }

    private static String[] command(String... settings) {
        return Stream.concat(Stream.of("postgres"), Stream.of(settings).flatMap(setting -> Stream.of("-c", setting)))
                .toArray(String[]::new);
    }

    @Override
    public int port() {
        return port;
    }

    /** Its address in the containers' own network, in which published ports do not exist. */
    @Override
    public String peerHost() {
        return container.getContainerInfo().getNetworkSettings().getNetworks().values().stream()
                .findFirst()
                .orElseThrow()
                .getIpAddress();
    }

    @Override
    public int peerPort() {
        return 5432;
    }

    @Override
    public void stop() {
        DockerClientFactory.instance()
                .client()
                .killContainerCmd(container.getContainerId())
                .exec();
    }

    @Override
    public void start() {
        DockerClientFactory.instance()
                .client()
                .startContainerCmd(container.getContainerId())
                .exec();
        org.awaitility.Awaitility.await().ignoreExceptions().until(() -> {
            connect("postgres").close();
            return true;
        });
    }

    @Override
    public void close() {
        container.close();
    }
}
