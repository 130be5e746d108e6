package io.github.shardedid.hibernate.internal;

import io.github.shardedid.ShardedIdException;
import io.github.shardedid.routing.RoutingDataSource;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.routing.Target;
import io.github.shardedid.routing.internal.RoutedConnection;
import io.github.shardedid.topology.GlobalDatabase;
import io.github.shardedid.topology.ShardMap;
import io.github.shardedid.topology.ShardSchema;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
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
import org.hibernate.boot.model.relational.QualifiedName;
import org.hibernate.boot.model.relational.QualifiedSequenceName;
import org.hibernate.boot.model.relational.QualifiedTableName;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.dialect.spi.DialectFactory;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.jdbc.env.internal.JdbcEnvironmentImpl;
import org.hibernate.engine.jdbc.env.internal.JdbcEnvironmentInitiator;
import org.hibernate.engine.jdbc.env.spi.ExtractedDatabaseMetaData;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.engine.jdbc.env.spi.QualifiedObjectNameFormatter;
import org.hibernate.engine.jdbc.env.spi.SQLStateType;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.tool.schema.extract.internal.SequenceInformationImpl;
import org.hibernate.tool.schema.extract.spi.SequenceInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates Hibernate's environment of databases that it has not connected to. */
public final class PostgresEnvironments extends JdbcEnvironmentInitiator {
    private final RoutingDataSource source;

    /** For a session factory whose data source routes. */
    public PostgresEnvironments(RoutingDataSource source) {
        this.source = source;
    }

    @Override
    protected JdbcEnvironmentImpl getJdbcEnvironmentWithExplicitConfiguration(
            Map<String, Object> settings,
            ServiceRegistryImplementor registry,
            DialectFactory dialects,
            DialectResolutionInfo given) {
        return new Environment(registry, dialects.buildDialect(settings, () -> new ResolvedDriver(given)), source);
    }

    private static final class Environment extends JdbcEnvironmentImpl {
        private final PostgresFacts facts;
        private final QualifiedObjectNameFormatter names;

        @SuppressWarnings("deprecation") // the same
        Environment(ServiceRegistryImplementor registry, Dialect dialect, RoutingDataSource source) {
            super(registry, dialect);
            this.facts = new PostgresFacts(this, new MappedSequences(source));
            this.names = new GeneratedSchemas(super.getQualifiedObjectNameFormatter());
        }

        @Override
        @SuppressWarnings("deprecation") // what Hibernate itself writes names with
        public QualifiedObjectNameFormatter getQualifiedObjectNameFormatter() {
            return names;
        }

        @Override
        public ExtractedDatabaseMetaData getExtractedDatabaseMetaData() {
            return facts;
        }
    }

    /**
     * Spells the placeholder of a schema otherwise in the texts that Hibernate generates than in those of the application, in which {@code
     * {h-schema}} becomes the usual one: so the connection knows the former, in which all tables have their schema.
     */
    private record GeneratedSchemas(QualifiedObjectNameFormatter standard) implements QualifiedObjectNameFormatter {
        private static String spelled(String name) {
            int point = name.indexOf('.');
            String schema = point < 0 ? "" : name.substring(0, point);
            return schema.equals(RoutingDataSource.SCHEMA_PLACEHOLDER)
                            || schema.equals(RoutingDataSource.GLOBAL_PLACEHOLDER)
                    ? RoutedConnection.generated(schema) + name.substring(point)
                    : name;
        }

        @Override
        public String format(QualifiedTableName name, Dialect dialect) {
            return spelled(standard.format(name, dialect));
        }

        @Override
        public String format(QualifiedSequenceName name, Dialect dialect) {
            return spelled(standard.format(name, dialect));
        }

        @Override
        public String format(QualifiedName name, Dialect dialect) {
            return spelled(standard.format(name, dialect));
        }
    }

    /**
     * The sequences of the global database and of one shard, by which Hibernate checks whether a generator expects another increment than its
     * sequence has. A database that cannot be reached is skipped.
     */
    private static final class MappedSequences {
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

    /**
     * What PostgreSQL's driver says of any of its databases. Where one of them is, and what it is called, it does not: Hibernate works with
     * all of them. The sequences are read when Hibernate compares them with the mappings.
     */
    private record PostgresFacts(JdbcEnvironment environment, PostgresEnvironments.MappedSequences sequences)
            implements ExtractedDatabaseMetaData {
        @Override
        public JdbcEnvironment getJdbcEnvironment() {
            return environment;
        }

        @Override
        public String getDatabaseProductName() {
            return "PostgreSQL";
        }

        @Override
        public String getDatabaseProductVersion() {
            return environment.getDialect().getVersion().toString();
        }

        @Override
        public boolean supportsSchemas() {
            return true;
        }

        @Override
        public boolean supportsCatalogs() {
            return false;
        }

        @Override
        public @Nullable String getConnectionCatalogName() {
            return null;
        }

        @Override
        public String getConnectionSchemaName() {
            return RoutingDataSource.SCHEMA_PLACEHOLDER;
        }

        @Override
        public boolean supportsNamedParameters() {
            return false;
        }

        @Override
        public boolean supportsRefCursors() {
            return true;
        }

        @Override
        public boolean supportsScrollableResults() {
            return true;
        }

        @Override
        public boolean supportsGetGeneratedKeys() {
            return true;
        }

        @Override
        public boolean supportsBatchUpdates() {
            return true;
        }

        @Override
        public boolean supportsDataDefinitionInTransaction() {
            return true;
        }

        @Override
        public boolean doesDataDefinitionCauseTransactionCommit() {
            return false;
        }

        @Override
        public SQLStateType getSqlStateType() {
            return SQLStateType.SQL99;
        }

        @Override
        public @Nullable String getUrl() {
            return null;
        }

        @Override
        public String getDriver() {
            return ResolvedDriver.NAME;
        }

        @Override
        public int getTransactionIsolation() {
            return getDefaultTransactionIsolation();
        }

        @Override
        public int getDefaultTransactionIsolation() {
            return Connection.TRANSACTION_READ_COMMITTED;
        }

        @Override
        public int getDefaultFetchSize() {
            return 0;
        }

        @Override
        public List<SequenceInformation> getSequenceInformationList() {
            return sequences.list();
        }
    }

    /**
     * The database that the settings name, with PostgreSQL's driver and keywords.
     *
     * @param given what the settings say
     */
    private record ResolvedDriver(DialectResolutionInfo given) implements DialectResolutionInfo {
        static final String NAME = "PostgreSQL JDBC Driver";

        /** The keywords of PostgreSQL 15 to 18 that SQL:2003 does not have, as the driver reads them from a server. */
        private static final String KEYWORDS =
                """
                abort,absent,access,aggregate,also,analyse,analyze,attach,backward,bit,cache,checkpoint,class,cluster,columns,\
                comment,comments,compression,concurrently,conditional,configuration,conflict,connection,content,conversion,copy,\
                cost,csv,current_catalog,current_schema,database,delimiter,delimiters,depends,detach,dictionary,disable,discard,\
                do,document,empty,enable,encoding,encrypted,enforced,enum,error,event,exclusive,explain,expression,extension,\
                family,finalize,force,format,forward,freeze,functions,generated,greatest,groups,handler,header,if,ilike,\
                immutable,implicit,import,include,indent,index,indexes,inherit,inherits,inline,instead,isnull,json,json_array,\
                json_arrayagg,json_exists,json_object,json_objectagg,json_query,json_scalar,json_serialize,json_table,json_value,\
                keep,keys,label,leakproof,least,limit,listen,load,location,lock,locked,logged,mapping,materialized,merge_action,\
                mode,move,nested,nfc,nfd,nfkc,nfkd,nothing,notify,notnull,nowait,objects,off,offset,oids,omit,operator,owned,\
                owner,parallel,parser,passing,password,period,plan,plans,policy,prepared,procedural,procedures,program,\
                publication,quote,quotes,reassign,refresh,reindex,rename,replace,replica,reset,restrict,returning,\
                routines,rule,scalar,schemas,sequences,server,setof,share,show,skip,snapshot,stable,standalone,statistics,stdin,\
                stdout,storage,stored,strict,string,strip,subscription,support,sysid,tables,tablespace,target,temp,template,text,\
                truncate,trusted,types,unconditional,unencrypted,unlisten,unlogged,until,vacuum,valid,validate,validator,\
                variadic,verbose,version,views,virtual,volatile,whitespace,wrapper,xml,xmlattributes,xmlconcat,xmlelement,\
                xmlexists,xmlforest,xmlnamespaces,xmlparse,xmlpi,xmlroot,xmlserialize,xmltable,yes""";

        @Override
        public String getDatabaseName() {
            return given.getDatabaseName();
        }

        @Override
        public String getDatabaseVersion() {
            return given.getDatabaseVersion();
        }

        @Override
        public int getDatabaseMajorVersion() {
            return given.getDatabaseMajorVersion();
        }

        @Override
        public int getDatabaseMinorVersion() {
            return given.getDatabaseMinorVersion();
        }

        @Override
        public String getDriverName() {
            return NAME;
        }

        @Override
        public int getDriverMajorVersion() {
            return given.getDriverMajorVersion();
        }

        @Override
        public int getDriverMinorVersion() {
            return given.getDriverMinorVersion();
        }

        @Override
        public String getSQLKeywords() {
            return KEYWORDS;
        }

        @Override
        public @Nullable DatabaseMetaData getDatabaseMetadata() {
            return null;
        }

        @Override
        public Map<String, Object> getConfigurationValues() {
            return given.getConfigurationValues();
        }
    }
}
