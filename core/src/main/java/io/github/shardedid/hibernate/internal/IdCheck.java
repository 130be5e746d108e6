package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.ShardedIdMappingException;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for rows whose ids name another shard than the one they are in, as a migration creates them that inserts rows with ids of its
 * own into each shard: by id such a row is looked for elsewhere, and a query over all shards returns it once for each. Of each
 * database the last shard is examined, and of each table the least and the greatest id: one query. A database that cannot be
 * reached is skipped.
 *
 * @param refuses whether such a row fails the start; otherwise it is logged
 */
record IdCheck(RoutingDataSource dataSource, List<Ids> tables, boolean refuses) {
    private static final Logger LOG = LoggerFactory.getLogger(IdCheck.class);

    /** The column with the ids of an entity, and its table, as SQL has them. */
    private record Ids(String entity, String table, String column) {}

    /** For all entities whose id is a sharded id as a whole. */
    static IdCheck of(RoutingDataSource dataSource, Metadata metadata, ShardedMappings mappings, boolean refuses) {
        List<Ids> tables = new ArrayList<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = mappings.find(entity.getEntityName());
            Table table = entity.getTable();
            boolean isWhole = mapping != null && mapping.idNamesShard() && mapping.idPart() == null;
            if (isWhole && entity instanceof RootClass && table.isPhysicalTable() && !table.isSubselect()) {
                String column = entity.getKey().getColumns().get(0).getQuotedName();
                tables.add(new Ids(entity.getEntityName(), table.getQuotedName(), column));
            }
        }
        return new IdCheck(dataSource, List.copyOf(tables), refuses);
    }

    /** One for each database. */
    List<Runnable> checks() {
        List<Runnable> checks = new ArrayList<>();
        if (!tables.isEmpty()) {
            ShardsByDatabase.of(dataSource.cluster().map().get())
                    .forEach((database, shards) -> checks.add(() -> check(database, shards.get(shards.size() - 1))));
        }
        return checks;
    }

    private void check(String database, int shard) {
        List<String> foreign = ShardContext.call(shard, () -> foreignIn(database, shard));
        if (foreign.isEmpty()) {
            return;
        }
        String message = "Rows of shard " + shard + " on database " + database + " have ids that name another shard: "
                + String.join("; ", foreign)
                + ". By id they are looked for in that shard, and queries over several shards return them from each"
                + " shard that has them. A migration runs in each shard: let it insert a row with an id of its own"
                + " only WHERE current_schema() is that of the row's shard, and delete the others.";
        if (refuses) {
            throw new ShardedIdMappingException(message);
        }
        LOG.warn("{}", message);
    }

    private List<String> foreignIn(String database, int shard) {
        List<String> foreign = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query())) {
            while (row.next()) {
                Ids table = tables.get(row.getInt(1));
                for (int column = 2; column <= 3; column++) {
                    long id = row.getLong(column);
                    if (!row.wasNull() && !isOf(shard, id)) {
                        foreign.add(table.entity() + " " + id);
                        break;
                    }
                }
            }
        } catch (SQLException e) {
            // Missing tables are the business of another check.
            LOG.debug("The ids of shard {} on database {} could not be checked", shard, database, e);
        }
        return foreign;
    }

    private boolean isOf(int shard, long id) {
        IdLayout layout = dataSource.cluster().layout();
        return layout.isId(id) && layout.shardOf(id) == shard;
    }

    private String query() {
        return IntStream.range(0, tables.size())
                .mapToObj(i -> "SELECT " + i + ", min(" + tables.get(i).column() + "), max("
                        + tables.get(i).column() + ") FROM " + RoutingDataSource.SCHEMA_PLACEHOLDER + "."
                        + tables.get(i).table())
                .collect(Collectors.joining(" UNION ALL "));
    }
}
