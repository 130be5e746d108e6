package io.github.shardedid.boot.autoconfigure;

import io.github.shardedid.move.Move;
import io.github.shardedid.move.MoveListener;
import io.github.shardedid.move.MoveProgress;
import java.util.Locale;
import java.util.StringJoiner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the progress of moves. */
final class MoveLog implements MoveListener {
    private static final Logger LOG = LoggerFactory.getLogger(MoveLog.class);
    private static final double MEGABYTE = 1e6;

    @Override
    public void progress(MoveProgress progress) {
        LOG.info("{}", text(progress));
    }

    static String text(MoveProgress progress) {
        Move move = progress.move();
        StringJoiner text = new StringJoiner(", ")
                .add("Shard " + move.shard() + " " + move.source() + " → " + move.target() + ": " + progress.step()
                        + (move.offline() ? " (offline)" : ""));
        if (progress.bytesTotal() > 0 && progress.bytesCopied() >= 0) {
            text.add(String.format(
                    Locale.ROOT,
                    "%.1f of %.1f MB copied",
                    progress.bytesCopied() / MEGABYTE,
                    progress.bytesTotal() / MEGABYTE));
        }
        if (progress.lagBytes() > 0) {
            text.add(String.format(Locale.ROOT, "%.1f MB behind", progress.lagBytes() / MEGABYTE));
        }
        if (progress.pause() != null) {
            text.add("writes paused for " + progress.pause().toMillis() + " ms");
        }
        return text.toString();
    }
}
