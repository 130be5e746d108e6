package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.hibernate.internal.mapping.ShardedMapping;
import io.github.shardedid.hibernate.internal.routing.Sharding;
import io.github.shardedid.hibernate.internal.rows.RootRows;
import io.github.shardedid.hibernate.internal.rows.RootRows.Root;
import io.github.shardedid.hibernate.internal.rows.RowLines;
import io.github.shardedid.hibernate.internal.rows.RowReferences;
import io.github.shardedid.hibernate.internal.unique.SqlClaims;
import io.github.shardedid.routing.ShardContext;
import java.io.BufferedReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one key: a row of a sharded entity, such as a user or a tenant, and all rows that live with it in its shard. Counts,
 * exports, erases and restores them, with SQL on their tables, whatever the number of rows; no entity is loaded, and no cascade, callback or
 * audit of Hibernate runs. The statements have connections of their own, outside of any transaction of the caller. If the shard moves
 * meanwhile, they follow it.
 *
 * <p>A row lives with another one if its {@link ShardKey} refers to it, if it is in a table of a collection, a subclass or a secondary table of it,
 * or if a foreign key has ON DELETE CASCADE. Safe for use by several threads.
 */
public final class KeyRows {
    private final SessionFactoryImplementor factory;
    private final Sharding sharding;
    private final RowReferences references;

    private KeyRows(SessionFactoryImplementor factory, Sharding sharding, RowReferences references) {
        this.factory = factory;
        this.sharding = sharding;
        this.references = references;
    }

    /**
     * The rows of the entities of a session factory.
     *
     * @param factory a session factory or entity manager factory of Hibernate; never null
     * @return empty if its data source does not route
     */
    public static Optional<KeyRows> of(SessionFactory factory) {
        SessionFactoryImplementor implementor = factory.unwrap(SessionFactoryImplementor.class);
        return Optional.ofNullable(Sharding.of(implementor.getServiceRegistry()))
                .flatMap(sharding -> Optional.ofNullable(sharding.references())
                        .map(references -> new KeyRows(implementor, sharding, references)));
    }

    /**
     * What lives with a row, and which rows of its shard have an id of these though they live elsewhere.
     *
     * @param entity the entity's name
     * @param id the id of its row
     * @param shard the row's shard
     * @param database the database that owned the shard at the beginning
     * @param tables the tables whose rows live with it, parents first, also those without rows
     * @param referring the rows of the shard that live elsewhere and have an id of these; not looked for by exports and restorations. After
     *     an erasure, those of audit tables, of event publications, and of {@link ForeignShard}, which it does not delete
     */
    public record Report(
            String entity,
            String id,
            int shard,
            String database,
            List<TableRows> tables,
            List<ReferringRows> referring) {
        /** Copies the lists. */
        public Report {
            tables = List.copyOf(tables);
            referring = List.copyOf(referring);
        }

        /**
         * Returns the number of rows that live with the row, itself included.
         *
         * @return those before anything was erased
         */
        public long rows() {
            return tables.stream().mapToLong(TableRows::rows).sum();
        }

        /**
         * Returns the number of rows that are left.
         *
         * @return 0 after they were erased
         */
        public long left() {
            return tables.stream().mapToLong(TableRows::left).sum();
        }

        /**
         * Returns the report as text.
         *
         * @return a line for each table, the last one about the row
         */
        public Stream<String> lines() {
            Stream<String> own = tables.stream()
                    .map(each -> "Table " + each.table + ": " + each.rows + " rows, " + each.left + " left");
            Stream<String> others = referring.stream()
                    .map(each -> each.rows + " rows that live elsewhere have an id of these: " + each.columns
                            + (each.obstacle ? ", which prevents that they are erased" : ""));
            String all = entity + " " + id + " in shard " + shard + " on database " + database + ": " + rows()
                    + " rows, " + left() + " left";
            return Stream.of(own, others, Stream.of(all)).flatMap(lines -> lines);
        }
    }

    /**
     * The rows of a table that live with a row.
     *
     * @param table its name in the shard's schema
     * @param rows their number at the beginning
     * @param left their number at the end, counted by a query
     */
    public record TableRows(String table, long rows, long left) {}

    /**
     * Rows that live elsewhere, and have an id of the rows that live with a row.
     *
     * @param columns the table, the column with the id and, if it is known, what it refers to
     * @param rows their number
     * @param obstacle whether nothing is erased as long as they exist
     */
    public record ReferringRows(String columns, long rows, boolean obstacle) {}

    /** The rows are not counted, exported, erased or restored. Its message says why, what has been done so far, and what to do. */
    public static final class RowsRefusedException extends ShardedIdException {
        /**
         * Creates the exception.
         *
         * @param message the entity, id, shard and database, why, what has been done so far, and what to do
         */
        public RowsRefusedException(String message) {
            this(message, null);
        }

        /**
         * Creates the exception with a cause.
         *
         * @param message the entity, id, shard and database, why, what has been done so far, and what to do
         * @param cause the cause, or null
         */
        public RowsRefusedException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    private interface Work {
        Report in(Connection connection, Root root) throws SQLException;
    }

    /**
     * The sharded entity of a name.
     *
     * @param name the name of its class, with or without its package
     * @return the class
     * @throws RowsRefusedException if there is none, or several
     */
    public Class<?> entity(String name) {
        List<? extends Class<?>> found = sharding.mappings().all().stream()
                .map(ShardedMapping::javaClass)
                .filter(each -> name.equals(each.getName()) || name.equals(each.getSimpleName()))
                .toList();
        if (found.size() != 1) {
            throw new RowsRefusedException((found.isEmpty() ? "No" : "Several") + " sharded entities are named " + name
                    + ": " + found + ". Nothing was done. Write the name of the class, with its package.");
        }
        return found.get(0);
    }

    /**
     * Counts the rows, and those that live elsewhere and have an id of these, in every table of the shard.
     *
     * @param entity a sharded entity's class
     * @param id the id of its row. If the id names no shard, the scope of its shard is open
     * @return the number of rows of each table
     * @throws RowsRefusedException if there is no such row, or if it is not known what lives with it
     * @throws io.github.shardedid.topology.UnknownShardException if no row of the cluster can have the id
     * @throws io.github.shardedid.id.MalformedIdException if it is no id of the layout
     */
    public Report count(Class<?> entity, Object id) {
        return in(root(entity, id), (connection, root) -> rows(connection, root).count());
    }

    /**
     * Writes the rows as they were at one time: a line of JSON for each, parents first, with a first and a last line about the export.
     *
     * @param entity a sharded entity's class
     * @param id the id of its row. If the id names no shard, the scope of its shard is open
     * @param out is written to while the rows are read; not closed
     * @return the number of rows of each table
     * @throws RowsRefusedException if there is no such row, or if it is not known what lives with it
     * @throws UncheckedIOException if the lines cannot be written
     */
    public Report export(Class<?> entity, Object id, Appendable out) {
        return in(root(entity, id), (connection, root) -> rows(connection, root)
                .export(RowLines.header(sharding.cluster(), root), out));
    }

    /**
     * Deletes the rows, children first, in many transactions, and the claims of their {@linkplain UniqueAcrossShards unique values}. If it is
     * interrupted, call it again: it deletes what is left, but for some claims, which {@link UniqueAcrossShards.Claims#check} removes. The
     * application must not store further rows of the key meanwhile.
     *
     * @param entity a sharded entity's class
     * @param id the id of its row. If the id names no shard, the scope of its shard is open
     * @return what was deleted; nothing is left
     * @throws RowsRefusedException if there is no such row; if rows that do not live with it have its id or one of its rows', before anything is
     *     deleted; or if the application continues to store rows
     */
    public Report erase(Class<?> entity, Object id) {
        return in(root(entity, id), (connection, root) -> rows(connection, root).erase());
    }

    /**
     * Stores exported rows with their ids in this cluster, all of them or none, in one transaction. They claim their unique values.
     *
     * @param lines what {@link #export} has written; read to the last line, not closed
     * @return the number of rows of each table
     * @throws RowsRefusedException if the export is of a cluster with another layout, or created with another number of shards, is not whole, or has rows of other
     *     tables or columns
     * @throws DuplicateValueException if another row has a value of theirs that is unique over all shards
     * @throws UncheckedIOException if the lines cannot be read
     */
    public Report restore(Reader lines) {
        BufferedReader reader = lines instanceof BufferedReader buffered ? buffered : new BufferedReader(lines);
        String header = RowLines.read(reader);
        Root exported = RowLines.root(header);
        Root here = ShardContext.call(exported.shard(), () -> root(entity(exported.entity()), exported.id()));
        String expected = RowLines.header(sharding.cluster(), here);
        if (!expected.equals(header)) {
            throw new RowsRefusedException(
                    here + " is not restored: the export is of " + header + ", but here its ids and shard"
                            + " keys name other shards, as of " + expected
                            + ". Nothing was restored. Restore it in a cluster of the same"
                            + " layout that was created with the same number of shards.");
        }
        return in(here, (connection, root) -> rows(connection, root).restore(reader));
    }

    private RootRows rows(Connection connection, Root root) throws SQLException {
        return new RootRows(
                connection, root, references, new SqlClaims(sharding.dataSource(), sharding.uniqueKeys(), factory));
    }

    private Root root(Class<?> entity, Object id) {
        String text = id.toString();
        ShardedMapping mapping = sharding.mappings().of(entity).orElse(null);
        if (mapping == null || text.chars().anyMatch(each -> each < ' ' || each == '"' || each == '\\')) {
            throw new RowsRefusedException(entity.getName() + " " + text
                    + " is no sharded entity, or has quotes or control characters in its id. Nothing was done. Name"
                    + " another entity.");
        }
        int shard = mapping.idNamesShard() && mapping.idPart() == null
                ? shardOf(mapping, text)
                : ShardContext.current()
                        .orElseThrow(() -> new RowsRefusedException("The id " + text + " of " + mapping.entityName()
                                + " names no shard, and no scope is open."
                                + " Nothing was done. Call this in ShardContext.call(shard, …)."));
        return new Root(
                mapping.entityName(),
                text,
                shard,
                sharding.cluster().map().get().databaseOf(shard));
    }

    private int shardOf(ShardedMapping mapping, String id) {
        try {
            return sharding.cluster().shardOf(Long.parseLong(id));
        } catch (NumberFormatException e) {
            throw new RowsRefusedException(
                    "\"" + id + "\" is no id of " + mapping.entityName() + ". Nothing was done. Pass a whole number.",
                    e);
        }
    }

    /** Runs work in the scope of a shard, on a connection of its own. */
    private Report in(Root root, Work work) {
        try (ShardContext.Scope scope = ShardContext.open(root.shard());
                Connection connection = sharding.dataSource().getConnection()) {
            return work.in(connection, root);
        } catch (SQLException e) {
            throw factory.getJdbcServices()
                    .getSqlExceptionHelper()
                    .convert(e, "The rows of " + root + " could not be processed. Call it again to continue");
        }
    }
}
