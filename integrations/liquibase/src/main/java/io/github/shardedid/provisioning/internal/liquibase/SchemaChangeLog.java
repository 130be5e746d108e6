package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.ProvisioningException;
import io.github.shardedid.provisioning.ProvisioningException.Reason;
import io.github.shardedid.provisioning.ScriptComparison;
import io.github.shardedid.provisioning.internal.SchemaMigrations.History;
import java.util.ArrayList;
import java.util.List;
import liquibase.Contexts;
import liquibase.LabelExpression;
import liquibase.RuntimeEnvironment;
import liquibase.Scope;
import liquibase.changelog.ChangeLogHistoryService;
import liquibase.changelog.ChangeLogHistoryServiceFactory;
import liquibase.changelog.ChangeLogIterator;
import liquibase.changelog.ChangeLogParameters;
import liquibase.changelog.ChangeSet;
import liquibase.changelog.DatabaseChangeLog;
import liquibase.changelog.RanChangeSet;
import liquibase.changelog.filter.ChangeSetFilter;
import liquibase.changelog.filter.ContextChangeSetFilter;
import liquibase.changelog.filter.DbmsChangeSetFilter;
import liquibase.changelog.filter.IgnoreChangeSetFilter;
import liquibase.changelog.filter.LabelChangeSetFilter;
import liquibase.changelog.filter.ShouldRunChangeSetFilter;
import liquibase.changelog.visitor.UpdateVisitor;
import liquibase.exception.LiquibaseException;
import liquibase.exception.ValidationFailedException;
import liquibase.parser.ChangeLogParserFactory;
import liquibase.precondition.core.PreconditionContainer;
import liquibase.precondition.core.PreconditionContainer.ErrorOption;
import liquibase.precondition.core.PreconditionContainer.FailOption;
import liquibase.resource.ResourceAccessor;

/** A change log, parsed for one schema, and the history of that schema. Not safe for use by several threads. */
final class SchemaChangeLog {
    private final SchemaDatabase database;
    private final Contexts contexts;
    private final LabelExpression labels;
    private final DatabaseChangeLog changeLog;
    private final List<ChangeSetFilter> filters;

    /** Parses it. Without a database in the scope, since Liquibase would create the table of the history in it. */
    SchemaChangeLog(ChangeLog settings, SchemaDatabase database) throws LiquibaseException {
        this.database = database;
        contexts = new Contexts(settings.contexts());
        labels = new LabelExpression(settings.labelFilter());
        ChangeLogParameters parameters = new ChangeLogParameters(database);
        parameters.setContexts(contexts);
        parameters.setLabels(labels);
        settings.parameters().forEach(parameters::set);
        ResourceAccessor files = Scope.getCurrentScope().getResourceAccessor();
        changeLog = ChangeLogParserFactory.getInstance()
                .getParser(settings.location(), files)
                .parse(settings.location(), parameters, files);
        filters = List.of(
                new ContextChangeSetFilter(contexts),
                new LabelChangeSetFilter(labels),
                new DbmsChangeSetFilter(database),
                new IgnoreChangeSetFilter());
    }

    /**
     * Returns the change sets that belong into this schema.
     *
     * @throws ProvisioningException if shards could differ after one, or could never be known to be up to date
     */
    List<ChangeSet> checked() {
        List<ChangeSet> all = changeSets();
        for (ChangeSet one : all) {
            PreconditionContainer conditions = one.getPreconditions();
            boolean continues = conditions != null
                    && (conditions.getOnFail() == FailOption.CONTINUE
                            || conditions.getOnError() == ErrorOption.CONTINUE);
            if (one.shouldAlwaysRun()
                    || Boolean.FALSE.equals(one.getFailOnError())
                    || !one.isRunInTransaction()
                    || (one.getRunWith() != null && !one.getRunWith().equals("jdbc"))
                    || continues) {
                throw new ProvisioningException(
                        Reason.FAILED_MIGRATION,
                        "Change set " + one.toString(false)
                                + " has runAlways, failOnError=false, runInTransaction=false,"
                                + " runWith, or a precondition with CONTINUE, after which shards could differ. Use runOnChange or"
                                + " MARK_RAN, or run it by psql in the schema of each shard. Nothing was changed.",
                        new IllegalArgumentException(one.toString(false)));
            }
        }
        return all;
    }

    private List<ChangeSet> changeSets() {
        return changeLog.getChangeSets().stream()
                .filter(one ->
                        filters.stream().allMatch(filter -> filter.accepts(one).isAccepted()))
                .toList();
    }

    /** Compares the history with the change log. A change set that is unknown is newer if it has run after all that are known. */
    History history() throws LiquibaseException {
        boolean complete = true;
        try {
            validate();
        } catch (ValidationFailedException e) {
            complete = false; // the migration reports it
        }
        List<RanChangeSet> ran = database.getRanChangeSetList();
        List<RanChangeSet> unknown = ran.stream()
                .filter(row -> changeLog.getChangeSets(row).isEmpty())
                .toList();
        int known = ran.stream()
                .filter(row -> !unknown.contains(row))
                .mapToInt(RanChangeSet::getOrderExecuted)
                .max()
                .orElse(0);
        List<String> newer = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        unknown.stream().filter(row -> row.getOrderExecuted() > known).forEach(row -> newer.add(row.toString()));
        ShouldRunChangeSetFilter pending = new ShouldRunChangeSetFilter(database);
        for (ChangeSet one : changeSets()) {
            if (pending.accepts(one).isAccepted()) {
                complete = false;
                (database.getRanChangeSet(one) == null ? missing : newer).add(one.toString(false));
            }
        }
        List<String> others =
                unknown.stream().map(row -> row + "|" + row.getLastCheckSum()).toList();
        return new History(complete, others, new ScriptComparison(newer, missing));
    }

    /** Runs what has not run yet. Each change set and its row in the history are one transaction. */
    void update() throws LiquibaseException {
        ChangeLogHistoryService history = Scope.getCurrentScope()
                .getSingleton(ChangeLogHistoryServiceFactory.class)
                .getChangeLogService(database);
        history.init();
        history.upgradeChecksums(changeLog, contexts, labels);
        validate();
        new ChangeLogIterator(changeLog, filters)
                .run(
                        new UpdateVisitor(database, database.new ChangeSets(), new ShouldRunChangeSetFilter(database)),
                        new RuntimeEnvironment(database, contexts, labels));
    }

    private void validate() throws LiquibaseException {
        changeLog.validate(database, contexts, labels);
    }
}
