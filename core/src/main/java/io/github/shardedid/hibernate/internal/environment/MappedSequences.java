package io.github.shardedid.hibernate.internal.environment;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.QualifiedSequenceName;
import org.hibernate.tool.schema.extract.internal.SequenceInformationImpl;
import org.hibernate.tool.schema.extract.spi.SequenceInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequences of the global database and of one shard, by which Hibernate checks whether a generator expects another increment than its
 * sequence has. A database that cannot be reached is skipped.
 */
final class MappedSequences {
    private static final Logger LOG = LoggerFactory.getLogger(MappedSequences.class);
    private static final String SEQUENCES = "SELECT sequencename, start_value, min_value, max_value, increment_by"
            + " FROM pg_catalog.pg_sequences WHERE schemaname = ?";

    private final RoutingDataSource source;
    private final Set<String> unreachable;
    private @Nullable List<SequenceInformation> known;

    MappedSequences(RoutingDataSource source) {
        this.source = source;
        this.unreachable = new HashSet<>(map().unreachableDatabases());
    }

    private ShardMap map() {
        return source.cluster().map().get();
    }

    /** Reads them once: Hibernate asks for each generator. */
    synchronized List<SequenceInformation> list() {
        List<SequenceInformation> list = known == null ? read() : known;
        known = list;
        return list;
    }

    /** A name that stands for sequences with different increments in the two schemas says nothing. */
    private List<SequenceInformation> read() {
        Map<String, SequenceInformation> found = new LinkedHashMap<>();
        GlobalDatabase global = source.global();
        if (global != null) {
            found.putAll(read(Target.global(), global.database(), global.schema()));
        }
        ShardMap map = map();
        IntStream.range(0, map.shardCount())
                .filter(shard -> IntStream.of(map.unownedShards()).noneMatch(unowned -> unowned == shard))
                .limit(1)
                .forEach(shard -> read(Target.shard(shard), map.databaseOf(shard), ShardSchema.nameOf(shard))
                        .forEach((name, sequence) -> add(name, sequence, found)));
        return List.copyOf(found.values());
    }

    private static void add(String name, SequenceInformation sequence, Map<String, SequenceInformation> found) {
        SequenceInformation other = found.putIfAbsent(name, sequence);
        if (other != null && !other.getIncrementValue().equals(sequence.getIncrementValue())) {
            found.remove(name);
        }
    }

    private Map<String, SequenceInformation> read(Target.Single target, String database, String schema) {
        Map<String, SequenceInformation> found = new LinkedHashMap<>();
        if (unreachable.contains(database)) {
            return found;
        }
        try (ShardContext.Scope scope = ShardContext.open(target);
                Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement(SEQUENCES)) {
            query.setString(1, schema);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    found.put(
                            name,
                            new SequenceInformationImpl(
                                    new QualifiedSequenceName(null, null, Identifier.toIdentifier(name)),
                                    rows.getLong(2),
                                    rows.getLong(3),
                                    rows.getLong(4),
                                    rows.getLong(5)));
                }
            }
        } catch (SQLException | ShardedIdException e) {
            unreachable.add(database);
            LOG.warn("The increments of the sequences of {} could not be checked: {}", target, e.getMessage());
        }
        return found;
    }
}
