package io.github.shardedid.attack;

/** A process with plain sessions that hold on to their prepared statements. */
final class PreparedWorker {
    static final int SESSIONS = 2;

    private PreparedWorker() {}

    public static void main(String[] arguments) throws Exception {
        WorkerOptions options = WorkerOptions.parse(arguments);
        WorkerLoop loop = new WorkerLoop(Lifeline.attach());
        for (int i = 0; i < SESSIONS; i++) {
            Deeds deeds = new Deeds(options.directory(), options.writer(i));
            PreparedSession session = new PreparedSession(options.homes(), deeds);
            loop.add("prepared-" + i, options.seed() + i, session::steps);
        }
        loop.run();
        Runtime.getRuntime().halt(0);
    }
}
