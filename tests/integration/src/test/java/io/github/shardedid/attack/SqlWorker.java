package io.github.shardedid.attack;

/** A process with sessions that know nothing of the project, as psql's and pgbench's. */
final class SqlWorker {
    static final int SESSIONS = 2;

    private SqlWorker() {}

    public static void main(String[] arguments) throws Exception {
        WorkerOptions options = WorkerOptions.parse(arguments);
        WorkerLoop loop = new WorkerLoop(Lifeline.attach());
        for (int i = 0; i < SESSIONS; i++) {
            Journal journal = new Journal(options.directory(), options.writer(i), Maker.SQL);
            SqlSession session = new SqlSession(options.homes(), journal);
            loop.add("sql-" + i, options.seed() + i, session::step);
        }
        loop.run();
        Runtime.getRuntime().halt(0);
    }
}
