package io.github.shardedid.attack;

import com.zaxxer.hikari.HikariDataSource;
import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveOptions;
import io.github.shardedid.move.MoveProgress;
import io.github.shardedid.move.ShardMover;
import io.github.shardedid.provisioning.ShardMigrations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Moves shards as its orders say, a line each: {@code move 1 pg2}, {@code resume 1}, {@code abort 1}, {@code drop 1 pg1}. An
 * order that ends in the name of a step never gets beyond its beginning, so that the process can be killed there.
 */
final class MoverWorker {
    private MoverWorker() {}

    static Path orders(Path directory, int number) {
        return directory.resolve("mover-" + number + ".orders");
    }

    static Path log(Path directory, int number) {
        return directory.resolve("mover-" + number + ".steps");
    }

    public static void main(String[] arguments) throws Exception {
        WorkerOptions options = WorkerOptions.parse(arguments);
        Lifeline lifeline = Lifeline.attach();
        Map<String, HikariDataSource> pools = LoadOptions.pools(options);
        Path log = log(options.directory(), options.number());
        for (String order : Files.readAllLines(orders(options.directory(), options.number()))) {
            if (!lifeline.ended()) {
                List<String> words = List.of(order.split(" "));
                ShardMover mover = new ShardMover(
                        LoadOptions.definition(options),
                        pools,
                        ShardMigrations.at(LoadOptions.SCRIPTS),
                        MoveOptions.DEFAULT.withListener(progress -> heard(log, words, progress)));
                write(log, "begin " + order);
                obey(mover, log, words);
            }
        }
        write(log, "end");
        Runtime.getRuntime().halt(0);
    }

    private static void obey(ShardMover mover, Path log, List<String> words) {
        int shard = Integer.parseInt(words.get(1));
        try {
            switch (words.get(0)) {
                case "move" -> write(log, "done " + told(mover.move(shard, words.get(2))));
                case "resume" -> write(log, "done " + told(mover.resume(shard)));
                case "abort" -> write(log, "done " + told(mover.abort(shard)));
                default -> mover.dropOldCopy(shard, words.get(2));
            }
        } catch (RuntimeException e) {
            e.printStackTrace();
            write(log, "failed " + words + " " + e.toString().replaceAll("\\s+", " "));
        }
    }

    private static String told(Move move) {
        return move.shard() + " " + move.source() + " " + move.target() + " " + move.step() + " "
                + (move.pause() == null ? -1 : move.pause().toMillis()) + " " + move.failure();
    }

    private static void heard(Path log, List<String> words, MoveProgress progress) {
        write(log, "at " + progress.step());
        if (progress.step().name().equals(words.get(words.size() - 1))) {
            while (true) {
                LockSupport.park();
            }
        }
    }

    private static void write(Path log, String line) {
        try {
            Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
