package io.github.shardedid.provisioning;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import liquibase.Scope;
import liquibase.change.custom.CustomTaskChange;
import liquibase.database.Database;
import liquibase.exception.ValidationErrors;
import liquibase.resource.ResourceAccessor;

/** A change that records what it sees in the scope in which it runs. */
public final class SeenScope implements CustomTaskChange {
    static final String MARKER = "marker";
    static final Queue<String> SEEN = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Database database) {
        SEEN.add(String.valueOf(Scope.getCurrentScope().get(MARKER, String.class)));
    }

    @Override
    public String getConfirmationMessage() {
        return "";
    }

    @Override
    public void setUp() {}

    @Override
    public void setFileOpener(ResourceAccessor resourceAccessor) {}

    @Override
    public ValidationErrors validate(Database database) {
        return new ValidationErrors();
    }
}
