package io.github.shardedid.test;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.SocketFactory;

/**
 * The driver's sockets behind a {@link WireTap}, whose URLs name this class. They know what the tap cannot see: the thread that
 * sends. What the library's background threads and those of a pool send does not count, since it comes when it comes.
 */
public final class TappedSockets extends SocketFactory {
    private static final Map<Integer, Notes> NOTES = new ConcurrentHashMap<>();

    private static final Pattern BACKGROUND =
            Pattern.compile("sharded-id-(?!scatter-).*|.*:(connection-adder|connection-closer|housekeeper)");

    /** Receives what is counted; safe for use by several threads. */
    interface Notes {
        /** Something was sent, for the first time or after an answer. */
        void roundTrip();

        /** The SQL of a query, or of a statement that is parsed. */
        void sql(String text);
    }

    private final int port;

    /** Called by the driver with the argument in the URL. */
    public TappedSockets(String port) {
        this.port = Integer.parseInt(port);
    }

    /** The parameters of a URL. */
    static String parameters(int port) {
        return "socketFactory=" + TappedSockets.class.getName() + "&socketFactoryArg=" + port;
    }

    static void register(int port, Notes notes) {
        NOTES.put(port, notes);
    }

    static void remove(int port) {
        NOTES.remove(port);
    }

    private static boolean isCounted() {
        return !BACKGROUND.matcher(Thread.currentThread().getName()).matches();
    }

    /** In another process nobody counts. */
    @Override
    public Socket createSocket() {
        Notes notes = NOTES.get(port);
        return notes == null ? new Socket() : new NotedSocket(notes);
    }

    @Override
    public Socket createSocket(String host, int number) {
        throw new UnsupportedOperationException("The driver connects its sockets itself");
    }

    @Override
    public Socket createSocket(String host, int number, InetAddress local, int localPort) {
        return createSocket(host, number);
    }

    @Override
    public Socket createSocket(InetAddress host, int number) {
        return createSocket(host.getHostName(), number);
    }

    @Override
    public Socket createSocket(InetAddress host, int number, InetAddress local, int localPort) {
        return createSocket(host.getHostName(), number);
    }

    /** A session of the server. The driver writes and reads in one thread at a time. */
    private static final class NotedSocket extends Socket {
        private final Notes notes;
        private volatile boolean answered = true;

        NotedSocket(Notes notes) {
            this.notes = notes;
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            Consumer<String> sql = text -> {
                if (isCounted()) {
                    notes.sql(text);
                }
            };
            FrontendReader reader = new FrontendReader(sql);
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int single) throws IOException {
                    write(new byte[] {(byte) single}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int offset, int count) throws IOException {
                    if (answered && isCounted()) {
                        notes.roundTrip();
                    }
                    answered = false;
                    reader.read(bytes, offset, count);
                    out.write(bytes, offset, count);
                }
            };
        }

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    byte[] single = new byte[1];
                    return read(single, 0, 1) < 0 ? -1 : single[0] & 0xFF;
                }

                @Override
                public int read(byte[] bytes, int offset, int count) throws IOException {
                    int read = in.read(bytes, offset, count);
                    answered |= read > 0;
                    return read;
                }
            };
        }
    }
}
