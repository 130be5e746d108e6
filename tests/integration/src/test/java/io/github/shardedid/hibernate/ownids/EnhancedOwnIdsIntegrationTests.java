package io.github.shardedid.hibernate.ownids;

import static io.github.shardedid.hibernate.ownids.ShopCluster.customerOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.routing.ShardContext;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.bytecode.enhance.spi.DefaultEnhancementContext;
import org.hibernate.bytecode.enhance.spi.Enhancer;
import org.hibernate.bytecode.enhance.spi.UnloadedClass;
import org.hibernate.bytecode.internal.bytebuddy.BytecodeProviderImpl;
import org.hibernate.proxy.HibernateProxy;
import org.junit.jupiter.api.Test;

/** Lazy references that are instances of the entity itself, as with Hibernate's Maven plugin. */
class EnhancedOwnIdsIntegrationTests {
    /** Enhances the classes of the shop, as the plugin does. */
    private static final class Enhanced extends ClassLoader {
        private final Enhancer enhancer = new BytecodeProviderImpl().getEnhancer(new DefaultEnhancementContext() {
            @Override
            public ClassLoader getLoadingClassLoader() {
                return Enhanced.class.getClassLoader();
            }

            @Override
            public boolean hasLazyLoadableAttributes(UnloadedClass type) {
                return true;
            }
        });

        Enhanced() {
            super(Enhanced.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(Shop.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name); // Hibernate is about to generate it
                }
                byte[] plain = in.readAllBytes();
                byte[] enhanced = enhancer.enhance(name, plain);
                byte[] code = enhanced == null ? plain : enhanced;
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private final ClassLoader loader = new Enhanced();

    private Class<?> enhanced(Class<?> type) {
        try {
            return Class.forName(type.getName(), true, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object get(Object entity, String getter) {
        try {
            Method method = entity.getClass().getDeclaredMethod(getter);
            method.setAccessible(true);
            return Objects.requireNonNull(method.invoke(entity));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private SessionFactory sessions(ShopCluster shop) {
        var registry = new StandardServiceRegistryBuilder(new BootstrapServiceRegistryBuilder()
                        .applyClassLoader(loader)
                        .build())
                .applySettings(ShopCluster.settings())
                .applySetting("hibernate.connection.datasource", shop.databases.dataSource())
                .build();
        MetadataSources sources = new MetadataSources(registry);
        for (Class<?> entity : Shop.ENTITIES) {
            sources.addAnnotatedClass(enhanced(entity));
        }
        return sources.buildMetadata().buildSessionFactory();
    }

    private static Object inScope(Session session, int shard, Class<?> type, Object id) {
        return Objects.requireNonNull(ShardContext.call(shard, () -> session.find(type, id)));
    }

    @Test
    void referencesAreLoadedFromTheShardInWhichTheyWereRead() {
        try (ShopCluster shop = new ShopCluster();
                SessionFactory sessions = sessions(shop)) {
            for (int shard = 0; shard < 3; shard++) {
                String id = "'" + new UUID(shard, 1) + "'";
                for (String insert : List.of(
                        "customer (id, name) VALUES (" + customerOf(shard) + ", '')",
                        "orders VALUES (" + id + ", " + customerOf(shard) + ", 'of " + shard + "', 0)",
                        "line VALUES (" + id + ", " + id + ", 1)")) {
                    shop.databases.home(shard).execute("INSERT INTO shard_000" + shard + "." + insert);
                }
            }
            List<Object> orders = new ArrayList<>();
            sessions.inSession(session -> {
                for (int shard = 0; shard < 3; shard++) {
                    Object line = inScope(session, shard, enhanced(Shop.Line.class), new UUID(shard, 1));
                    orders.add(get(line, "getOrder"));
                }
                int asked = 2;
                assertThat(orders).allSatisfy(order -> assertThat(order)
                        .isNotInstanceOf(HibernateProxy.class)
                        .matches(each -> !Hibernate.isInitialized(each), "is a reference"));
                ShardContext.run(7, () -> assertThat(orders)
                        .extracting(order -> get(order, "getWords"))
                        .containsExactly("of 0", "of 1", "of 2"));
                assertThat(session.find(enhanced(Shop.Order.class), new UUID(asked, 1)))
                        .isSameAs(orders.get(asked));
            });
            sessions.inSession(session -> {
                Object order =
                        ShardContext.call(1, () -> session.getReference(enhanced(Shop.Order.class), new UUID(1, 1)));
                assertThat(Hibernate.isInitialized(order)).isFalse();
                ShardContext.run(7, () -> assertThat(get(order, "getWords")).isEqualTo("of 1"));
            });
        }
    }
}
