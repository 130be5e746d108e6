package io.github.shardedid.hibernate.internal;

import io.github.shardedid.WayOut;
import io.github.shardedid.hibernate.CheckedStart;
import io.github.shardedid.hibernate.ShardingSettings;
import io.github.shardedid.hibernate.internal.StartChecks.Check;
import io.github.shardedid.hibernate.internal.mapping.EntityIds;
import io.github.shardedid.hibernate.internal.mapping.MappedTables;
import io.github.shardedid.hibernate.internal.mapping.MappedTables.MappedTable;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.RoutingControl;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the mappings with the catalogs, in the first shard of each database and in the global database: the names of tables and columns,
 * the sequences of ids, and the defaults of ids. The structure of the other shards is compared with these by the drift report. A database
 * that cannot be reached is skipped.
 *
 * <p>A mapping without its table fails at the first call that needs it, perhaps weeks after the start. A default
 * that makes ids without a shard is worse: rows that a plain INSERT stores would have ids of other shards, and
 * nobody would notice. So both are looked for at each start, by one query per database.
 *
 * <p>What is missing is logged, and refused only if the application validates its tables, or if its mappings are
 * refused anyway: then one message has all that is to be done. A default that makes wrong ids, and a missing
 * sequence, are refused unless that check is switched off.
 */
final class CatalogCheck {
    private static final Logger LOG = LoggerFactory.getLogger(CatalogCheck.class);

    /**
     * The columns of tables, views and sequences, and whether a column's default makes ids without a shard, as those of {@code bigserial}
     * and identity columns do. A default depends on the functions that it calls, except for those of PostgreSQL itself, as {@code nextval}.
     */
    private static final String COLUMNS = RoutingControl.fileOf(CatalogCheck.class, "columns.sql");

    private final RoutingDataSource source;
    private final Metadata metadata;
    private final MappedTables tables;
    /**
     * The entities with a sequence in the shard's own schema. One that is named with a schema is not looked for.
     */
    private final List<ShardedMapping> entities;
    /** True if missing tables and columns are problems, instead of warnings. Only validation looks at columns. */
    private final boolean validates;
    /**
     * True if tables are looked for. They are not if they may be missing because migrations have failed: that
     * failure says it better.
     */
    private final boolean checksTables;

    private final boolean checksSequences;

    CatalogCheck(
            Sharding sharding,
            Metadata metadata,
            Map<String, Object> settings,
            @Nullable CheckedStart start,
            boolean refused) {
        this.source = sharding.dataSource();
        this.metadata = metadata;
        this.tables = MappedTables.of(metadata);
        this.checksSequences = isTrue(settings.get(ShardingSettings.CHECK_SEQUENCES), true);
        boolean logs = isTrue(settings.get(ShardingSettings.CHECK_TABLES), checksSequences);
        boolean wanted = isTrue(settings.get(ShardingSettings.VALIDATE_TABLES), false);
        boolean migrated = start == null || !start.lacksMigrations();
        this.validates = migrated && (wanted || (refused && logs));
        // If only one shard has been migrated, the checks of all log the rest.
        this.checksTables = migrated && (validates || (logs && (start == null || start.shard() == null)));
        this.entities = sharding.mappings().all().stream()
                .filter(entity ->
                        !entity.sequence().isEmpty() && !entity.sequence().contains("."))
                .toList();
    }

    /**
     * Returns one check for each database.
     *
     * <p>The caller runs them on threads of their own.
     *
     * @param owned the shards of each database that has any; the first one is compared
     */
    List<Check> checks(Map<String, List<Integer>> owned) {
        if (!checksTables && !checksSequences) {
            return List.of();
        }
        List<Check> checks = new ArrayList<>();
        GlobalDatabase global = source.global();
        owned.forEach((database, shards) -> checks.add(() -> {
            List<String> problems = inShard(database, shards.get(0));
            if (global != null && global.database().equals(database)) {
                problems.addAll(inGlobal(global));
            }
            return problems;
        }));
        // Without shards, a database may be down: only a validation waits for it.
        if (global != null && validates && !owned.containsKey(global.database())) {
            checks.add(() -> inGlobal(global));
        }
        return checks;
    }

    /** Returns a setting, which may be a text or a boolean. */
    private static boolean isTrue(@Nullable Object setting, boolean otherwise) {
        return setting == null ? otherwise : Boolean.parseBoolean(setting.toString());
    }

    private List<String> inShard(String database, int shard) {
        String schema = ShardSchema.nameOf(shard);
        Catalog catalog = ShardContext.call(shard, () -> read(database, schema));
        List<String> problems = new ArrayList<>();
        if (catalog != null) {
            missing(catalog, tables.ofShards(), problems);
            if (checksSequences) {
                entities.forEach(entity -> checkId(catalog, entity, problems));
            }
        }
        return problems;
    }

    private List<String> inGlobal(GlobalDatabase global) {
        List<String> problems = new ArrayList<>();
        if (!tables.global().isEmpty()) {
            Catalog catalog = ShardContext.call(Target.global(), () -> read(global.database(), global.schema()));
            if (catalog != null) {
                missing(catalog, tables.global(), problems);
            }
        }
        return problems;
    }

    /**
     * What a schema has.
     *
     * @param database the database
     * @param schema the schema in it
     * @param columns by table, view or sequence; none if the user may not read it
     * @param plain the columns whose default is the next number of a sequence: {@code table.column}; true for identity columns
     */
    private record Catalog(
            String database, String schema, Map<String, Set<String>> columns, Map<String, Boolean> plain) {}

    /**
     * Reads a schema; null, with a warning, if the database cannot be asked: one that is down must not keep the
     * application from starting.
     */
    private @Nullable Catalog read(String database, String schema) {
        Catalog catalog = new Catalog(database, schema, new HashMap<>(), new HashMap<>());
        try (Connection connection = source.getConnection();
                PreparedStatement query = connection.prepareStatement(COLUMNS)) {
            query.setString(1, schema);
            try (ResultSet row = query.executeQuery()) {
                while (row.next()) {
                    Set<String> columns = catalog.columns().computeIfAbsent(row.getString(1), name -> new HashSet<>());
                    if (row.getBoolean(3)) {
                        columns.add(row.getString(2));
                    }
                    if (row.getBoolean(4) || row.getBoolean(5)) {
                        catalog.plain().put(row.getString(1) + "." + row.getString(2), row.getBoolean(4));
                    }
                }
            }
            return catalog;
        } catch (SQLException e) {
            LOG.warn("The tables of database {} could not be checked: {}", database, e.getMessage());
            return null;
        }
    }

    /**
     * Adds one problem that names all that is missing if it is validated, else logs it.
     *
     * <p>A table without a column that the user may read is one that the user may not read.
     */
    private void missing(Catalog catalog, List<MappedTable> mapped, List<String> problems) {
        List<String> missing = new ArrayList<>();
        for (MappedTable table : checksTables ? mapped : List.<MappedTable>of()) {
            Set<String> columns = catalog.columns().get(table.name());
            String where = catalog.schema() + "." + table.name() + " on database " + catalog.database() + " for "
                    + table.mapped();
            if (columns == null) {
                missing.add("table " + where);
            } else if (columns.isEmpty()) {
                missing.add("the right to read table " + where);
            } else if (validates) {
                table.columns().stream()
                        .filter(column -> !columns.contains(column))
                        .forEach(column -> missing.add("column " + column + " of " + where));
            }
        }
        if (missing.isEmpty()) {
            return;
        }
        String message = "The mappings need what the databases do not have: " + String.join("; ", missing)
                + ". Create it in a migration (" + WayOut.MIGRATIONS.of() + " for shards, "
                + WayOut.GLOBAL_MIGRATIONS.of()
                + " for global entities), or correct the mapping.";
        if (validates) {
            problems.add(message);
        } else {
            LOG.warn("{}", message);
        }
    }

    /**
     * Adds a problem if the sequence of an entity's ids is missing, or if the default of its id makes ids
     * without a shard. Hibernate names the sequence as in the mapping; PostgreSQL stores names in lower case,
     * unless they are quoted.
     */
    private void checkId(Catalog catalog, ShardedMapping entity, List<String> problems) {
        PersistentClass mapped = metadata.getEntityBinding(entity.entityName());
        Column id = mapped.getRootClass().getKey().getColumns().get(0);
        // Its own table: an abstract root whose subclasses have a table each has none.
        String table = MappedTables.stored(
                mapped.getTable().getName(), mapped.getTable().isQuoted());
        String column = MappedTables.stored(id.getName(), id.isQuoted());
        String sequence = entity.sequence();
        String name = MappedTables.stored(sequence.replace("\"", ""), sequence.startsWith("\""));
        String where = catalog.schema() + " on database " + catalog.database();
        if (!catalog.columns().containsKey(table)) {
            return;
        }
        Boolean identity = catalog.plain().get(table + "." + column);
        if (!catalog.columns().containsKey(name) && !EntityIds.isSequenceOfDefault(mapped)) {
            problems.add("The sequence " + name + " of " + entity.entityName() + " is missing in " + where
                    + ", but its table exists. Create it in a migration: CREATE SEQUENCE " + name
                    + " MINVALUE 0; or name another sequence with @ShardedId(sequence = …).");
        }
        if (identity != null) {
            String alter = "ALTER TABLE " + table + " ALTER COLUMN " + column;
            problems.add("The default of the id of " + entity.entityName() + " in " + where + " is "
                    + (identity ? "that of an identity column" : "nextval")
                    + ", so an INSERT without an id would store a row whose id names another shard. Change it in a migration:"
                    + (identity
                            ? " " + alter + " DROP IDENTITY; CREATE SEQUENCE IF NOT EXISTS " + name + " MINVALUE 0;"
                            : "")
                    + " " + alter + " SET DEFAULT next_id('" + name + "').");
        }
    }
}
