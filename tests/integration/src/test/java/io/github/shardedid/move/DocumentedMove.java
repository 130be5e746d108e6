package io.github.shardedid.move;

import io.github.shardedid.provisioning.ClusterDefinition;
import io.github.shardedid.provisioning.ShardMigrations;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** The snippet of docs/moving-a-shard.md. */
final class DocumentedMove {
    private DocumentedMove() {}

    static Map.Entry<Move, List<String>> run(ClusterDefinition definition, Map<String, DataSource> databases) {
        ShardMover mover = new ShardMover(definition, databases, ShardMigrations.at("classpath:db/shard"));
        List<String> inTheWay = mover.check(17, "pg2"); // changes nothing
        Move move = mover.move(17, "pg2");
        mover.dropOldCopy(17, "pg1"); // days later
        return Map.entry(move, inTheWay);
    }
}
