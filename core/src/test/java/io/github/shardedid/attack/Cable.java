package io.github.shardedid.attack;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** The network between two servers: a port that leads to another one, unless it is stalled, refuses, or resets. */
final class Cable implements AutoCloseable {
    /** What becomes of bytes and of new connections. */
    enum Mood {
        PASSES,
        /** Nothing arrives, nothing is closed. */
        STALLS,
        /** All connections are reset, new ones as well. */
        RESETS
    }

    private static final long LOOK_AGAIN_NANOS = 10_000_000;

    private final int serverPort;
    private final ServerSocket listening;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Mood> mood = new AtomicReference<>(Mood.PASSES);

    Cable(int serverPort) {
        this.serverPort = serverPort;
        try {
            listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    void become(Mood other) {
        mood.set(other);
        if (other == Mood.RESETS) {
            sockets.forEach(Cable::reset);
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "cable");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                connect(listening.accept());
            } catch (IOException e) {
                // closed, or the server is down: its client has been told
            }
        }
    }

    private void connect(Socket client) throws IOException {
        if (mood.get() == Mood.RESETS) {
            reset(client);
            return;
        }
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            sockets.add(client);
            sockets.add(server);
            start(() -> copy(client, server));
            start(() -> copy(server, client));
        } catch (IOException e) {
            reset(client);
            throw e;
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] bytes = new byte[16_384];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                while (mood.get() == Mood.STALLS && !from.isClosed()) {
                    LockSupport.parkNanos(LOOK_AGAIN_NANOS);
                }
                out.write(bytes, 0, count);
                out.flush();
            }
        } catch (IOException e) {
            // either side has gone
        }
        sockets.remove(from);
        sockets.remove(to);
        reset(from);
        reset(to);
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        become(Mood.RESETS);
    }
}
