package io.github.shardedid.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/** The worker processes of an attack; a killed one is replaced by one with a new number. */
final class Workers implements AutoCloseable {
    private final List<WorkerProcess> processes = new ArrayList<>();
    private final IntFunction<WorkerOptions> options;
    private int started;

    Workers(IntFunction<WorkerOptions> options) {
        this.options = options;
    }

    void start(Class<?> kind) {
        processes.add(WorkerProcess.start(kind, options.apply(started++)));
    }

    /** Any of a kind that is not stopped just now, or any of all kinds. */
    WorkerProcess any(Random random, Class<?> kind) {
        List<WorkerProcess> some = processes.stream()
                .filter(process -> process.kind() == kind && !process.isStopped())
                .toList();
        return some.isEmpty() ? processes.get(random.nextInt(processes.size())) : some.get(random.nextInt(some.size()));
    }

    void replace(WorkerProcess process) {
        process.kill();
        processes.remove(process);
        start(process.kind());
    }

    /** Workers end by being killed or asked only. */
    void assertAlive() {
        for (WorkerProcess process : processes) {
            if (!process.isAlive()) {
                throw new AssertionError("A " + process.kind().getSimpleName() + " has ended; see its log");
            }
        }
    }

    /** Half of them end in good order, the others are killed. */
    @Override
    public void close() {
        for (int i = 0; i < processes.size(); i++) {
            WorkerProcess process = processes.get(i);
            if (process.isStopped()) {
                process.goOn();
            }
            if (i % 2 == 0) {
                process.end();
            } else {
                process.kill();
            }
        }
        processes.forEach(WorkerProcess::join);
        processes.clear();
    }
}
