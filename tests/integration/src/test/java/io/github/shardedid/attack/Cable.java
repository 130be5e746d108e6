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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The network between two servers: a port that leads to another one, unless it is stalled, resets, or loses what it is given. */
final class Cable implements AutoCloseable {
    /** What becomes of bytes and of new connections. */
    enum Mood {
        PASSES,
        /** Nothing arrives, nothing is closed. What was sent meanwhile arrives later. */
        STALLS,
        /** All connections are reset, new ones as well. */
        RESETS,
        /** Bytes are lost, and nobody is told. New connections are accepted, and get no answer. Both are reset when the mood ends. */
        DROPS,
        /** The same, but these connections stay silent for ever: whoever waits on one must give it up himself. */
        FORGETS
    }

    private static final long LOOK_AGAIN_NANOS = 10_000_000;

    private final int serverPort;
    private final ServerSocket listening;
    private final Set<Line> lines = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Mood> mood = new AtomicReference<>(Mood.PASSES);

    /** Both ends of a connection; the second is null if nobody was asked. */
    private record Line(Socket client, @Nullable Socket server, AtomicBoolean lossy) {
        void reset() {
            Cable.reset(client);
            if (server != null) {
                Cable.reset(server);
            }
        }
    }

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
        Mood before = mood.getAndSet(other);
        if (other == Mood.RESETS) {
            lines.forEach(Line::reset);
        } else if (before == Mood.DROPS && other == Mood.PASSES) {
            lines.stream().filter(line -> line.lossy().get()).forEach(Line::reset);
        }
    }

    private boolean loses() {
        return mood.get() == Mood.DROPS || mood.get() == Mood.FORGETS;
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
        } else if (loses()) {
            Line line = new Line(client, null, new AtomicBoolean(true));
            lines.add(line);
            start(() -> copy(line, client, client));
        } else {
            connectToServer(client);
        }
    }

    private void connectToServer(Socket client) throws IOException {
        try {
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            Line line = new Line(client, server, new AtomicBoolean());
            lines.add(line);
            start(() -> copy(line, client, server));
            start(() -> copy(line, server, client));
        } catch (IOException e) {
            reset(client);
            throw e;
        }
    }

    private void copy(Line line, Socket from, Socket to) {
        byte[] bytes = new byte[16_384];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                while (mood.get() == Mood.STALLS && !from.isClosed()) {
                    LockSupport.parkNanos(LOOK_AGAIN_NANOS);
                }
                if (loses()) {
                    line.lossy().set(true);
                }
                if (!line.lossy().get()) {
                    out.write(bytes, 0, count);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // either side has gone
        }
        if (line.lossy().get() || loses()) {
            // The other side is not told.
            line.lossy().set(true);
            reset(from);
        } else {
            lines.remove(line);
            line.reset();
        }
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
