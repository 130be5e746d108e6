package io.github.shardedid.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A port that accepts connections and never answers, as of a server that hangs. */
public final class SilentServer implements AutoCloseable {
    private final ServerSocket port;
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();

    /** Accepts from now on. */
    public SilentServer() {
        this(0);
    }

    /** Accepts at a port from now on. */
    public SilentServer(int number) {
        try {
            port = new ServerSocket(number, 500, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread thread = new Thread(this::accept, "silent-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                accepted.add(port.accept());
            }
        } catch (IOException e) {
            // closed
        }
    }

    public int port() {
        return port.getLocalPort();
    }

    public String url() {
        return "jdbc:postgresql://localhost:" + port() + "/app";
    }

    /** How many connections were accepted. */
    public int accepted() {
        return accepted.size();
    }

    /** Closes the connections that were accepted. */
    public void hangUp() {
        accepted.forEach(SilentServer::close);
    }

    private static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        close(port);
        hangUp();
    }
}
