package io.github.shardedid.hibernate;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Which types of this project one read by id and one save enter between Hibernate's session and the driver, and how often they ask
 * for the target, the shard map and the rules. The calls run in {@link CorridorCalls}, a process of its own, where the debugger
 * interface of the JDK reports each entered method: no code is changed, and no call is missed. The numbers are ceilings, to be lowered.
 */
class CorridorIntegrationTests {
    private static final String OURS = "io.github.shardedid.";
    private static final String FIND = "find";
    private static final String SAVE = "save";
    private static final String END = "end";
    private static final String SCOPE_COMPARED = "routing.RoutedScope.isOpen";
    private static final String MAP_COMPARED = "routing.internal.connection.Route.isDecidedBy";
    private static final long TIMEOUT_MILLIS = 180_000;

    /** The methods in the order in which they were entered, with their types, without the common package; by call. */
    private static final Map<String, List<String>> ENTERED = new HashMap<>();

    @BeforeAll
    static void recordCalls() throws Exception {
        VirtualMachine machine = launched();
        try {
            copy(machine.process().getErrorStream());
            copy(machine.process().getInputStream());
            ClassPrepareRequest marks = machine.eventRequestManager().createClassPrepareRequest();
            marks.addClassFilter(CorridorCalls.Marks.class.getName());
            marks.enable();
            machine.resume();
            String call = "";
            while (!call.equals(END)) {
                EventSet events = machine.eventQueue().remove(TIMEOUT_MILLIS);
                assertThat(events).as("events before the end mark").isNotNull();
                for (Event event : events) {
                    if (event instanceof ClassPrepareEvent prepared) {
                        recordEntries(prepared);
                    } else if (event instanceof MethodEntryEvent entry) {
                        call = record(entry, call);
                    }
                }
                events.resume();
            }
            machine.dispose(); // the process goes on, and stops its server
            assertThat(machine.process().waitFor(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS))
                    .as("the process has ended")
                    .isTrue();
        } finally {
            machine.process().destroyForcibly();
        }
    }

    private static VirtualMachine launched() throws Exception {
        LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        String properties = System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("sharded-id."))
                .map(name -> "\"-D" + name + "=" + System.getProperty(name) + "\"")
                .collect(joining(" "));
        arguments
                .get("options")
                .setValue("-XX:TieredStopAtLevel=1 -XX:+UseSerialGC " + properties + " -cp \""
                        + System.getProperty("java.class.path") + "\"");
        arguments.get("main").setValue(CorridorCalls.class.getName());
        return connector.launch(arguments);
    }

    /** Without a reader the process would wait for its output. */
    private static void copy(InputStream output) {
        Thread thread = new Thread(() -> {
            try (output) {
                output.transferTo(System.err);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static void recordEntries(ClassPrepareEvent prepared) {
        MethodEntryRequest entries =
                prepared.virtualMachine().eventRequestManager().createMethodEntryRequest();
        entries.addClassFilter(OURS + "*");
        entries.addThreadFilter(prepared.thread());
        entries.setSuspendPolicy(EventRequest.SUSPEND_NONE);
        entries.enable();
    }

    /** Returns the call that is recorded from now on. */
    private static String record(MethodEntryEvent entry, String call) {
        String type = entry.method().declaringType().name().replaceAll("\\$\\$Lambda.*", "");
        String method = entry.method().name();
        if (type.equals(CorridorCalls.Marks.class.getName())) {
            return method;
        }
        if (!call.isEmpty() && !isOfTests(type) && !type.contains("$auxiliary$")) {
            ENTERED.computeIfAbsent(call, key -> new ArrayList<>()).add(type.substring(OURS.length()) + "." + method);
        }
        return call;
    }

    /** The classes that Hibernate generates for an entity belong to the tests as the entity does. */
    private static boolean isOfTests(String type) {
        String file = type.replaceAll("\\$Hibernate.*", "").replace('.', '/') + ".class";
        return String.valueOf(CorridorIntegrationTests.class.getClassLoader().getResource(file))
                .contains("test-classes");
    }

    /** Nested and generated types are counted, but not the adapters of a generated one; lambdas with the class that contains them. */
    private static SortedSet<String> types(String call) {
        SortedSet<String> types = new TreeSet<>();
        entered(call).forEach(method -> types.add(method.substring(0, method.lastIndexOf('.'))));
        return types;
    }

    private static List<String> entered(String call) {
        return ENTERED.getOrDefault(call, List.of());
    }

    private static long count(String call, String method) {
        return entered(call).stream().filter(method::equals).count();
    }

    /** How often the rules decide about a statement, or are asked about a write that is declared. */
    private static long rules(String call) {
        return Stream.of("decide", "write")
                .mapToLong(method -> count(call, "routing.internal.statement.Router." + method))
                .sum();
    }

    /** The goal is 45. */
    @Test
    void aReadByIdEntersFewTypes() {
        assertThat(types(FIND)).contains("routing.internal.RoutingConnection").hasSizeLessThanOrEqualTo(45);
    }

    /** The goal is 55. */
    @Test
    void aSaveEntersFewTypes() {
        assertThat(types(SAVE)).contains("routing.internal.RoutingConnection").hasSizeLessThanOrEqualTo(55);
    }

    /** The map is asked for the database of the shard; that there is such a shard is known without it. */
    @Test
    void aReadByIdAsksOnceForItsTargetAndItsRules() {
        assertAsked(FIND, 1, 1, 1);
        assertCompared(FIND, 2);
    }

    /**
     * The goal is once each. The target is asked for the shard of the new row, for its batch and for its statement; the map when the
     * id is generated, too.
     */
    @Test
    void aSaveAsksForTargetMapAndRules() {
        assertAsked(SAVE, 3, 2, 2);
        assertCompared(SAVE, 4);
    }

    private static void assertAsked(String call, long target, long map, long rules) {
        assertThat(count(call, "routing.internal.statement.Router.decide"))
                .as("statements")
                .isEqualTo(1);
        assertThat(count(call, "routing.ShardContext.target") - count(call, SCOPE_COMPARED))
                .as("target")
                .isEqualTo(target);
        assertThat(count(call, "topology.CurrentShardMap.get") - count(call, MAP_COMPARED))
                .as("map")
                .isEqualTo(map);
        assertThat(rules(call)).as("rules").isEqualTo(rules);
    }

    /** An execution compares the scope and the map of its decision with those of then, as others may have run in between. */
    private static void assertCompared(String call, long scopes) {
        assertThat(count(call, SCOPE_COMPARED)).as("scopes").isEqualTo(scopes);
        assertThat(count(call, MAP_COMPARED)).as("maps").isEqualTo(1);
        assertThat(count(call, "routing.internal.statement.Router.check"))
                .as("target of the transaction's writes")
                .isEqualTo(2);
    }
}
