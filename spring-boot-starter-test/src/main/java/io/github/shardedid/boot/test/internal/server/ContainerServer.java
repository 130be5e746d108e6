package io.github.shardedid.boot.test.internal.server;

import io.github.shardedid.boot.test.TestServersException;
import java.util.List;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** A server in a container. It keeps its port when it is stopped and started. */
final class ContainerServer implements TestServer {
    private final int port = ReservedPort.next();
    private final PostgreSQLContainer container;
    private boolean running = true;

    ContainerServer(String image) {
        try {
            container = new PostgreSQLContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"))
                    .withUsername(USER)
                    .withPassword(PASSWORD)
                    .withDatabaseName("postgres")
                    .withCommand("postgres", "-c", "fsync=off", "-c", "max_connections=300", "-c", "wal_level=logical");
            container.setPortBindings(List.of(port + ":" + PostgreSQLContainer.POSTGRESQL_PORT));
            container.start();
        } catch (RuntimeException e) {
            throw new TestServersException("The container of image " + image + " did not start; see the cause.", e);
        }
    }

    static boolean dockerIsThere() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @Override
    public String host() {
        return container.getHost();
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void stop() {
        running = false;
        container.getDockerClient().stopContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void start() {
        container
                .getDockerClient()
                .startContainerCmd(container.getContainerId())
                .exec();
        running = true;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void close() {
        container.close();
    }
}
