package io.github.shardedid.attack;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Ties a worker to the process that started it: when its standard input ends, the worker does, too, in good order. */
final class Lifeline {
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(8);

    private volatile boolean ended;

    private Lifeline() {}

    static Lifeline attach() {
        Lifeline lifeline = new Lifeline();
        Thread thread = new Thread(lifeline::watch, "lifeline");
        thread.setDaemon(true);
        thread.start();
        return lifeline;
    }

    boolean ended() {
        return ended;
    }

    private void watch() {
        try {
            while (System.in.read() >= 0) {
                // nothing is ever said
            }
        } catch (IOException e) {
            // the other side is gone
        }
        ended = true;
        long end = System.nanoTime() + GRACE_NANOS;
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(GRACE_NANOS);
        }
        Runtime.getRuntime().halt(1);
    }
}
