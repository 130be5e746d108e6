package io.github.shardedid.test;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a driver and a PostgreSQL server, counts their round trips, notes the SQL that is sent, and can be
 * cut like a cable. Connect with a {@link #url} of its own: without encryption, and with {@link TappedSockets}, so that only
 * what calls send is counted, and not what background threads send meanwhile.
 */
public final class WireTap implements AutoCloseable, TappedSockets.Notes {
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final int serverPort;
    private final int port;
    private final Set<Talk> talks = ConcurrentHashMap.newKeySet();
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final AtomicLong turns = new AtomicLong();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile boolean losesAnswers;
    private final AtomicLong toServer = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong toClient = new AtomicLong(Long.MAX_VALUE);
    private volatile ServerSocket listening;
    private volatile Thread accepting = new Thread();

    /** Taps a server of this machine. */
    public WireTap(int serverPort) {
        this.serverPort = serverPort;
        this.port = FreePort.find();
        this.listening = listen(port);
        TappedSockets.register(port, this);
    }

    /** The port to connect to. */
    public int port() {
        return port;
    }

    /** The URL of a database through this tap. */
    public String url(String database) {
        return "jdbc:postgresql://localhost:" + port + "/" + database + "?sslmode=disable&gssEncMode=disable&"
                + TappedSockets.parameters(port);
    }

    /** How often a call has sent something after its server had said something, or at first; opening counts too. */
    public long turns() {
        return turns.get();
    }

    /** Forgets the turns and messages so far. */
    public void reset() {
        turns.set(0);
        messages.clear();
    }

    /** The SQL of the queries and of the statements parsed, in order; a reused prepared statement is not sent again. */
    public List<String> frontendMessages() {
        return List.copyOf(messages);
    }

    @Override
    public void roundTrip() {
        turns.incrementAndGet();
    }

    @Override
    public void sql(String text) {
        messages.add(text);
    }

    /** Breaks all connections and refuses new ones. */
    public void cut() {
        closeQuietly(listening);
        awaitEnd(accepting);
        talks.forEach(Talk::close);
        talks.clear();
    }

    /** Whether connections are refused. */
    boolean isCut() {
        return listening.isClosed();
    }

    /** Until the thread that accepts has come back from there, the system goes on listening on the port. */
    private static void awaitEnd(Thread thread) {
        try {
            thread.join(LONGEST_WAIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Delivers nothing any more, on connections that are open and on new ones, as a server that hangs. */
    public void stall() {
        gate = new CountDownLatch(1);
    }

    /** From now on, or no longer, breaks a connection as soon as its server answers: what was sent has arrived. */
    public void loseAnswers(boolean lose) {
        losesAnswers = lose;
    }

    /** Delivers so many bytes more to the server, over all connections, and then breaks the one that sends; in the midst of a message, too. */
    public void cutRequestAfter(long bytes) {
        toServer.set(bytes);
    }

    /** The same for what the server answers. */
    public void cutAnswerAfter(long bytes) {
        toClient.set(bytes);
    }

    /** Delivers everything again; false if nothing had to be cut. */
    public boolean deliverAll() {
        return Math.min(toServer.getAndSet(Long.MAX_VALUE), toClient.getAndSet(Long.MAX_VALUE)) < 0;
    }

    /** Delivers what {@link #stall} has held up, and accepts connections again, on the same port. */
    public void restore() {
        gate.countDown();
        if (listening.isClosed()) {
            listening = listen(port);
        }
    }

    @Override
    public void close() {
        gate.countDown();
        cut();
        TappedSockets.remove(port);
    }

    private ServerSocket listen(int onPort) {
        try {
            ServerSocket socket = new ServerSocket();
            bind(socket, onPort);
            accepting = start("accepting", () -> accept(socket));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void bind(ServerSocket socket, int port) throws IOException {
        try {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.bind(new InetSocketAddress((InetAddress) null, port));
        } catch (IOException e) {
            closeQuietly(socket);
            throw e;
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Talk talk = new Talk(socket.accept());
                talks.add(talk);
                talk.begin();
                if (socket.isClosed()) {
                    talk.close();
                }
            } catch (IOException e) {
                // cut, or the server is not there: the client sees its connection closed
            }
        }
    }

    private static Thread start(String what, Runnable work) {
        Thread thread = new Thread(work, "wire tap " + what);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            // it was closed by the other side
        }
    }

    /** One connection. */
    private final class Talk {
        private final Socket client;
        private final Socket server;

        Talk(Socket client) throws IOException {
            this.client = client;
            try {
                server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
            } catch (IOException e) {
                closeQuietly(client);
                throw e;
            }
        }

        void begin() {
            Thread unused = start("to server", () -> copy(client, server, toServer, () -> {}));
            unused = start(
                    "to client",
                    () -> copy(server, client, toClient, () -> {
                        if (losesAnswers) {
                            close();
                        }
                    }));
        }

        private void copy(Socket from, Socket to, AtomicLong allowed, Runnable received) {
            byte[] bytes = new byte[65_536];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    gate.await();
                    received.run();
                    long left = allowed.addAndGet(-count);
                    out.write(bytes, 0, (int) Math.max(0, Math.min(count, count + left)));
                    out.flush();
                    if (left < 0) {
                        break;
                    }
                }
            } catch (IOException e) {
                // cut, or closed by either side
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            close();
        }

        void close() {
            talks.remove(this);
            closeQuietly(client);
            closeQuietly(server);
        }
    }
}
