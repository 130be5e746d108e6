package io.github.shardedid.hibernate.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.shardedid.hibernate.GlobalEntity;
import io.github.shardedid.id.IdLayout;
import io.github.shardedid.routing.ShardContext;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestCluster;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.GlobalDatabase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.ParameterMode;
import jakarta.persistence.SequenceGenerator;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.hibernate.MappingException;
import org.hibernate.SessionFactory;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.cfg.Configuration;
import org.hibernate.engine.jdbc.cursor.spi.RefCursorSupport;
import org.hibernate.engine.jdbc.env.spi.ExtractedDatabaseMetaData;
import org.hibernate.engine.jdbc.env.spi.IdentifierHelper;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.procedure.ProcedureCall;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hibernate connects to no database when it starts. It knows what it would have read from one. */
class DatabaseFactsIntegrationTests {
    private static final String PROCEDURE =
            """
            CREATE PROCEDURE opened(IN most int, INOUT rows refcursor, INOUT counted int)
            LANGUAGE plpgsql AS $$
            BEGIN
              rows := 'some rows';
              OPEN rows FOR SELECT n::bigint FROM generate_series(1, most) n;
              counted := most;
            END $$;
            """;

    /** Where a database is and what it is called differs; Hibernate is told the oldest supported version. */
    private static final Set<String> OF_ONE_DATABASE = Set.of(
            "getUrl",
            "getConnectionCatalogName",
            "getConnectionSchemaName",
            "getCurrentCatalog",
            "getCurrentSchema",
            "getDatabaseProductVersion",
            "getSequenceInformationList",
            "getDefaultSchema");

    private static TestCluster cluster;
    private static TestDatabase database;

    @BeforeAll
    static void start() {
        cluster = new TestCluster(
                IdLayout.DEFAULT,
                8,
                2,
                GlobalDatabase.on("pg2"),
                "classpath:db/membership/global",
                "classpath:db/membership/shard");
        database = PostgresServers.shared(1).newDatabase();
        database.execute(PROCEDURE);
        for (int shard = 0; shard < 8; shard++) {
            cluster.home(shard).execute("SET search_path = shard_000" + shard + "; " + PROCEDURE + "RESET search_path");
        }
    }

    @AfterAll
    static void stop() {
        database.drop();
        cluster.close();
    }

    private static SessionFactory factory(DataSource source, Class<?>... entities) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", source);
        return configuration.addAnnotatedClasses(entities).buildSessionFactory();
    }

    @Test
    void whatItKnowsIsWhatItReadsFromADatabase() {
        try (SessionFactory plain = factory(database.dataSource());
                SessionFactory sharded = factory(cluster.dataSource())) {
            assertThat(facts(sharded)).isEqualTo(facts(plain));
        }
    }

    private static Map<String, String> facts(SessionFactory sessions) {
        SessionFactoryImplementor factory = sessions.unwrap(SessionFactoryImplementor.class);
        JdbcEnvironment environment = factory.getJdbcServices().getJdbcEnvironment();
        Map<String, String> facts = new TreeMap<>();
        read(JdbcEnvironment.class, environment, facts);
        read(ExtractedDatabaseMetaData.class, environment.getExtractedDatabaseMetaData(), facts);
        read(SessionFactoryOptions.class, factory.getSessionFactoryOptions(), facts);
        facts.put(
                "references to cursors",
                factory.getServiceRegistry()
                        .requireService(RefCursorSupport.class)
                        .getClass()
                        .getName());
        facts.put("lobs", environment.getLobCreatorBuilder().getClass().getName());
        IdentifierHelper identifiers = environment.getIdentifierHelper();
        for (String name : List.of("photo", "Photo", "user", "analyze", "ß")) {
            facts.put(
                    "identifier " + name,
                    identifiers.toIdentifier(name) + identifiers.toMetaDataObjectName(identifiers.toIdentifier(name)));
        }
        return facts;
    }

    /** Numbers, words and the like: other objects are read on their own. */
    private static void read(Class<?> type, Object facts, Map<String, String> found) {
        for (Method method : type.getMethods()) {
            Class<?> returned = method.getReturnType();
            boolean simple = returned.isPrimitive()
                    || returned == String.class
                    || returned.isEnum()
                    || returned == Integer.class
                    || returned == List.class;
            if (method.getParameterCount() == 0
                    && simple
                    && returned != void.class
                    && !method.getName().equals("getUuid")
                    && !OF_ONE_DATABASE.contains(method.getName())) {
                found.put(type.getSimpleName() + "." + method.getName(), value(method, facts));
            }
        }
    }

    private static String value(Method method, Object facts) {
        try {
            return String.valueOf(method.invoke(facts));
        } catch (ReflectiveOperationException e) {
            return e.getClass().getSimpleName();
        }
    }

    @Test
    void aProcedureMayReturnACursorAsAnyParameter() {
        try (SessionFactory plain = factory(database.dataSource());
                SessionFactory sharded = factory(cluster.dataSource())) {
            List<?> expected = plain.fromTransaction(session -> called(session.createStoredProcedureCall("opened")));
            assertThat(expected).hasSize(3);
            assertThat(ShardContext.<List<?>>call(
                            5,
                            () -> sharded.fromTransaction(
                                    session -> called(session.createStoredProcedureCall("opened")))))
                    .isEqualTo(expected);
        }
    }

    private static List<?> called(ProcedureCall call) {
        call.registerParameter(1, Integer.class, ParameterMode.IN);
        call.registerParameter(2, void.class, ParameterMode.REF_CURSOR);
        call.registerParameter(3, Integer.class, ParameterMode.INOUT);
        call.setParameter(1, 3);
        call.setParameter(3, 0);
        List<?> rows = call.getResultList();
        assertThat(call.getOutputParameterValue(3)).isEqualTo(3);
        return rows;
    }

    @Entity(name = "Receipt")
    @GlobalEntity
    static class Receipt {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE)
        @SequenceGenerator(name = "receipt_seq", sequenceName = "receipt_seq", allocationSize = 20)
        @Nullable
        Long id;
    }

    /** With another increment, two instances would generate the same ids. */
    @Test
    void aGeneratorThatExpectsAnotherIncrementIsRefused() {
        String tables = "CREATE SEQUENCE receipt_seq; CREATE TABLE receipt (id bigint PRIMARY KEY)";
        database.execute(tables);
        cluster.databases()
                .get(1)
                .execute("SET search_path = " + GlobalDatabase.DEFAULT_SCHEMA + "; " + tables + "; RESET search_path");
        for (DataSource source : List.of(database.dataSource(), cluster.dataSource())) {
            assertThatThrownBy(() -> factory(source, Receipt.class).close())
                    .isInstanceOf(MappingException.class)
                    .hasStackTraceContaining("increment size of the [receipt_seq] sequence is set to [20]");
        }
    }
}
