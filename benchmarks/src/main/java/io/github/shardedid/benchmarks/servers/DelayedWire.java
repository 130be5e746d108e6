package io.github.shardedid.benchmarks.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A port that leads to a server over a wire which takes its time in each direction, as a network between two machines does. */
public final class DelayedWire implements AutoCloseable {
    private static final long HALF_A_ROUND_TRIP = TimeUnit.MICROSECONDS.toNanos(250);
    private static final Set<Thread> CARRIERS = ConcurrentHashMap.newKeySet();
    private static final ThreadMXBean TIMES = ManagementFactory.getThreadMXBean();
    private static final String SCHEME = "jdbc:";

    private final URI server;
    private final ServerSocket listening;

    private DelayedWire(URI server) throws IOException {
        this.server = server;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /** Leads to the server of a database. */
    public static DelayedWire to(Database database) throws IOException {
        return new DelayedWire(URI.create(database.url().substring(SCHEME.length())));
    }

    /** The same database, over this wire. */
    public Database database() {
        String query = server.getQuery() == null ? "" : "?" + server.getQuery();
        return new Database(SCHEME + "postgresql://127.0.0.1:" + listening.getLocalPort() + server.getPath() + query);
    }

    /** The processor time of all wires that are in use, in nanoseconds. */
    public static long processorNanos() {
        return CARRIERS.stream()
                .filter(Thread::isAlive)
                .mapToLong(thread -> Math.max(0, TIMES.getThreadCpuTime(thread.getId())))
                .sum();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "delayed wire");
        thread.setDaemon(true);
        CARRIERS.add(thread);
        thread.start();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket there = new Socket(server.getHost(), server.getPort());
                client.setTcpNoDelay(true);
                there.setTcpNoDelay(true);
                start(() -> carry(client, there));
                start(() -> carry(there, client));
            } catch (IOException e) {
                // Closed: its clients end.
            }
        }
    }

    private static void carry(Socket from, Socket to) {
        byte[] bytes = new byte[65_536];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                long arrival = System.nanoTime() + HALF_A_ROUND_TRIP;
                for (long left = HALF_A_ROUND_TRIP; left > 0; left = arrival - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                out.write(bytes, 0, count);
                out.flush();
            }
        } catch (IOException e) {
            // One of the two has closed.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
