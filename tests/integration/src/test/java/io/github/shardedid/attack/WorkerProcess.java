package io.github.shardedid.attack;

import io.github.shardedid.test.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A running worker, to be hit by signals. */
final class WorkerProcess {
    private static final long GROWN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Class<?> kind;
    private final Process process;
    private final long started = System.nanoTime();
    private boolean stopped;

    private WorkerProcess(Class<?> kind, Process process) {
        this.kind = kind;
        this.process = process;
    }

    static WorkerProcess start(Class<?> kind, WorkerOptions options) {
        List<String> command = JavaCommand.of("-Xmx192m");
        AttackSettings.properties().forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.add(kind.getName());
        command.addAll(options.toArguments());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(options.directory()
                .resolve(kind.getSimpleName() + "-" + options.number() + ".log")
                .toFile());
        try {
            return new WorkerProcess(kind, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Class<?> kind() {
        return kind;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Whether it has had time to start and to work a while, on most machines. */
    boolean isGrown() {
        return System.nanoTime() - started > GROWN_NANOS;
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        join();
    }

    /** SIGSTOP. */
    void stop() {
        signal("STOP", process.pid());
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** SIGCONT. */
    void goOn() {
        signal("CONT", process.pid());
        stopped = false;
    }

    /** Asks it to end in good order, giving its leases back. */
    void end() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it is dead already
        }
    }

    void join() {
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Worker " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void signal(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
