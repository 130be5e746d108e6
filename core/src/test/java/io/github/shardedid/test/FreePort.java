package io.github.shardedid.test;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that may be stopped and started again. It is below those that Linux and macOS give to outgoing connections: one of
 * them, of any process, would otherwise have taken it meanwhile.
 */
final class FreePort {
    private static final int FIRST = 20_000;
    private static final int NEXT = 32_000;

    private FreePort() {}

    static int find() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, NEXT);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Somebody else's.
            }
        }
    }
}
