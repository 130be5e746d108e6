package io.github.shardedid.boot.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.move.MoveListener;
import io.github.shardedid.routing.RoutingListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/** Every bean of every auto-configuration backs off. No bean is made here: definitions are looked at. */
class BackOffTests {
    /** There may be several of these: one of the application stands beside ours. */
    private static final Set<Class<?>> BESIDE = Set.of(
            MeterBinder.class,
            MoveListener.class,
            RoutingListener.class,
            HibernatePropertiesCustomizer.class,
            SanitizingFunction.class,
            BeanPostProcessor.class,
            BeanFactoryPostProcessor.class);

    static List<Class<?>> autoConfigurations() {
        List<Class<?>> own = new ArrayList<>();
        for (String name : ImportCandidates.load(AutoConfiguration.class, BackOffTests.class.getClassLoader())) {
            if (name.startsWith("io.github.shardedid.")) {
                own.add(ClassUtils.resolveClassName(name, null));
            }
        }
        return own;
    }

    static Stream<Method> beans() {
        return autoConfigurations().stream()
                .flatMap(type -> Stream.concat(Stream.of(type), Arrays.stream(type.getDeclaredClasses())))
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> method.isAnnotationPresent(Bean.class));
    }

    /** As far as definitions go, with what the application has itself. */
    private static List<String> defined(Consumer<AnnotationConfigServletWebServerApplicationContext> application) {
        try (AnnotationConfigServletWebServerApplicationContext context =
                new AnnotationConfigServletWebServerApplicationContext()) {
            TestPropertyValues.of(
                            "sharded-id.shards=8",
                            "sharded-id.databases.pg1.url=jdbc:postgresql://localhost:1/app",
                            "sharded-id.databases.pg1.shards=0-7",
                            "sharded-id.global.database=pg1",
                            "spring.sql.init.mode=always",
                            "management.endpoint.keyrows.access=READ_ONLY",
                            "management.endpoint.claims.access=READ_ONLY",
                            "management.endpoints.web.exposure.include=*")
                    .applyTo(context);
            context.registerBeanDefinition("registry", new RootBeanDefinition(SimpleMeterRegistry.class));
            context.registerBean("observations", ObservationRegistry.class, ObservationRegistry::create);
            application.accept(context);
            List<Class<?>> all = new ArrayList<>(autoConfigurations());
            all.add(DataSourceAutoConfiguration.class);
            all.add(HibernateJpaAutoConfiguration.class);
            context.register(Configurations.getClasses(AutoConfigurations.of(all.toArray(Class<?>[]::new))));
            context.refreshForAotProcessing(new RuntimeHints());
            return List.of(context.getBeanDefinitionNames());
        }
    }

    @ParameterizedTest
    @MethodSource("beans")
    void everyBeanIsThereUnlessTheApplicationHasOne(Method bean) {
        assertThat(MeterRegistry.class).isAssignableFrom(SimpleMeterRegistry.class);
        assertThat(defined(context -> {})).contains(bean.getName());
        ConditionalOnMissingBean condition = bean.getAnnotation(ConditionalOnMissingBean.class);
        if (condition == null) {
            assertThat(BESIDE)
                    .as("%s of %s backs off from nothing", bean.getName(), bean.getDeclaringClass())
                    .anyMatch(type -> type.isAssignableFrom(bean.getReturnType()));
            return;
        }
        String name = condition.name().length == 0 ? "own" : condition.name()[0];
        Class<?> type =
                condition.value().length == 0 ? bean.getReturnType() : condition.value()[0];
        List<String> left = defined(context -> {
            RootBeanDefinition own = new RootBeanDefinition();
            own.setTargetType(type);
            own.setBeanClass(type);
            own.setInstanceSupplier(() -> requireNonNull(null, "never made"));
            context.registerBeanDefinition(name, own);
        });

        assertThat(left).contains(name);
        if (!name.equals(bean.getName())) {
            assertThat(left).doesNotContain(bean.getName());
        }
    }
}
