package io.github.shardedid.test;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Picks the SQL out of what a PostgreSQL client sends: messages Q (query) and P (parse). */
final class FrontendReader {
    private static final int HEADER = 5;

    private final Consumer<String> heard;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private boolean started;

    FrontendReader(Consumer<String> heard) {
        this.heard = heard;
    }

    void read(byte[] bytes, int offset, int count) {
        pending.write(bytes, offset, count);
        ByteBuffer buffer = ByteBuffer.wrap(pending.toByteArray());
        boolean complete = true;
        while (complete) {
            complete = message(buffer);
        }
        byte[] rest = new byte[buffer.remaining()];
        buffer.get(rest);
        pending.reset();
        pending.write(rest, 0, rest.length);
    }

    /** Takes one message, or nothing if it is incomplete. The very first one has no type. */
    private boolean message(ByteBuffer buffer) {
        int start = buffer.position();
        int header = started ? HEADER : HEADER - 1;
        if (buffer.remaining() < header) {
            return false;
        }
        char type = started ? (char) buffer.get() : ' ';
        int length = buffer.getInt() - Integer.BYTES;
        if (buffer.remaining() < length) {
            buffer.position(start);
            return false;
        }
        started = true;
        byte[] body = new byte[length];
        buffer.get(body);
        if (type == 'Q') {
            heard.accept(text(body, 0));
        } else if (type == 'P') {
            heard.accept(text(body, text(body, 0).getBytes(StandardCharsets.UTF_8).length + 1));
        }
        return true;
    }

    private static String text(byte[] bytes, int start) {
        int end = start;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }
}
