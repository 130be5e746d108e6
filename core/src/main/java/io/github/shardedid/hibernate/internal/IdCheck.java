package io.github.shardedid.hibernate.internal;

import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.mapping.ShardedMappings;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ConnectionLostException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.boot.Metadata;
import org.hibernate.dialect.Dialect;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for rows whose ids name another shard than the one they are in, as a migration creates them that inserts rows with ids of its
 * own into each shard: by id such a row is looked for elsewhere, and a query over all shards returns it once for each. What is found
 * is logged. Of each database the last shard is examined, and of each table the least and the greatest id. A database that cannot be
 * reached is skipped, and so is the rest of it after a query that waits.
 */
record IdCheck(RoutingDataSource dataSource, List<Ids> tables) {
    private static final Logger LOG = LoggerFactory.getLogger(IdCheck.class);
    /** Indexed ids are found at once; a lock of a migration, or a table without such an index, is not waited for. */
    private static final int MOST_SECONDS = 2;

    private static final String CANCELED = "57014";
    private static final String UNDEFINED_TABLE = "42P01";

    /** The column with the ids of an entity, and its table, as SQL has them. */
    private record Ids(String entity, String table, String column) {
        String query() {
            return "SELECT min(" + column + "), max(" + column + ") FROM " + RoutingDataSource.SCHEMA_PLACEHOLDER + "."
                    + table;
        }
    }

    /** For all entities whose id is a sharded id as a whole. */
    static IdCheck of(RoutingDataSource dataSource, Metadata metadata, ShardedMappings mappings, Dialect dialect) {
        List<Ids> tables = new ArrayList<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            ShardedMapping mapping = mappings.find(entity.getEntityName());
            Table table = entity.getTable();
            boolean isWhole = mapping != null && mapping.idNamesShard() && mapping.idPart() == null;
            if (isWhole && entity instanceof RootClass && table.isPhysicalTable() && !table.isSubselect()) {
                String column = entity.getKey().getColumns().get(0).getQuotedName(dialect);
                tables.add(new Ids(entity.getEntityName(), table.getQuotedName(dialect), column));
            }
        }
        return new IdCheck(dataSource, List.copyOf(tables));
    }

    /** Logs what it finds. */
    void run(Map<String, List<Integer>> owned) {
        if (!tables.isEmpty()) {
            owned.forEach((database, shards) -> check(database, shards.get(shards.size() - 1)));
        }
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
        LOG.warn("{}", message);
    }

    private List<String> foreignIn(String database, int shard) {
        List<String> foreign = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(MOST_SECONDS);
            for (Ids table : tables) {
                examine(table, statement, shard, foreign);
            }
        } catch (SQLException e) {
            LOG.info("Not all ids of shard {} on database {} could be checked: {}", shard, database, e.getMessage());
        }
        return foreign;
    }

    /** Fails if nothing else is to be asked of the database. */
    private void examine(Ids table, Statement statement, int shard, List<String> foreign) throws SQLException {
        try (ResultSet row = statement.executeQuery(table.query())) {
            row.next();
            for (int column = 1; column <= 2; column++) {
                long id = row.getLong(column);
                if (!row.wasNull() && !isOf(shard, id)) {
                    foreign.add(table.entity() + " " + id);
                    return;
                }
            }
        } catch (SQLException e) {
            if (CANCELED.equals(e.getSQLState()) || e instanceof ConnectionLostException) {
                throw e;
            } else if (!UNDEFINED_TABLE.equals(e.getSQLState())) {
                LOG.info("The ids of {} could not be checked: {}", table.entity(), e.getMessage());
            }
        }
    }

    private boolean isOf(int shard, long id) {
        IdLayout layout = dataSource.cluster().layout();
        return layout.isId(id) && layout.shardOf(id) == shard;
    }
}
