package io.github.shardedid.test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Databases of a cluster as it is after its provisioning, copied from templates that are provisioned once per JVM. The copies have the
 * cluster id of their template: who needs two different clusters provisions the other one.
 */
public final class ProvisionedCopies {
    private static final Map<Object, List<TestDatabase>> TEMPLATES = new HashMap<>();

    private ProvisionedCopies() {}

    /**
     * New databases on the shared servers 1, 2 ….
     *
     * @param kind equal for clusters that are provisioned alike
     * @param provision is given empty databases, and has closed its connections to them when it returns
     */
    public static synchronized List<TestDatabase> make(Object kind, int count, Consumer<List<TestDatabase>> provision) {
        List<TestDatabase> templates = TEMPLATES.get(kind);
        if (templates == null) {
            templates = empty(count);
            provision.accept(templates);
            TEMPLATES.put(kind, templates);
        }
        return templates.stream().map(TestDatabase::copy).toList();
    }

    static List<TestDatabase> empty(int count) {
        List<TestDatabase> databases = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            databases.add(PostgresServers.shared(i).newDatabase());
        }
        return databases;
    }
}
