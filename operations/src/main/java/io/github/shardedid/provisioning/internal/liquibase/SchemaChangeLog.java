package io.github.shardedid.provisioning.internal.liquibase;

import io.github.shardedid.provisioning.ChangeLog;
import io.github.shardedid.provisioning.ScriptComparison;
import io.github.shardedid.provisioning.ShardMigrationException;
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
import liquibase.changelog.ChangeSet.RunStatus;
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
import liquibase.resource.ResourceAccessor;

/** A change log, parsed for one schema, and the history of that schema. Not safe for use by several threads. */
final class SchemaChangeLog {
    private final LentJdbcConnection connection;
    private final SchemaDatabase database;
    private final String location;
    private final String baseline;
    private final Contexts contexts;
    private final LabelExpression labels;
    private final DatabaseChangeLog changeLog;
    private final List<ChangeSetFilter> filters;

    /** Parses it. Without a database in the scope, since Liquibase would create the table of the history in it. */
    SchemaChangeLog(ChangeLog settings, LentJdbcConnection connection, SchemaDatabase database)
            throws LiquibaseException {
        this.connection = connection;
        this.database = database;
        location = settings.location();
        baseline = settings.baseline();
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

    /** The change sets that belong into this schema. */
    List<ChangeSet> changeSets() {
        return changeLog.getChangeSets().stream()
                .filter(one ->
                        filters.stream().allMatch(filter -> filter.accepts(one).isAccepted()))
                .toList();
    }

    /**
     * The change sets that do not run in a schema that was filled before.
     *
     * @throws ShardMigrationException if the last of them is missing or ambiguous
     */
    List<ChangeSet> baseline() {
        if (baseline.isEmpty()) {
            return List.of();
        }
        List<ChangeSet> all = changeSets();
        List<ChangeSet> last = all.stream()
                .filter(one -> baseline.equals(one.getId()) || baseline.equals(one.toString(false)))
                .toList();
        if (last.size() != 1) {
            throw new ShardMigrationException(
                    "The baseline " + baseline + " of the change log " + location
                            + (last.isEmpty()
                                    ? " is none of its change sets."
                                    : " is the id of several change sets: " + last + ".")
                            + " Name one by its id, or as file::id::author. Nothing was changed.",
                    new IllegalArgumentException(baseline));
        }
        return all.subList(0, all.indexOf(last.get(0)) + 1);
    }

    /** Returns whether all have run as they are. */
    boolean isComplete() throws LiquibaseException {
        try {
            validate();
        } catch (ValidationFailedException e) {
            return false; // the migration reports it
        }
        ShouldRunChangeSetFilter pending = new ShouldRunChangeSetFilter(database);
        return changeSets().stream().noneMatch(one -> pending.accepts(one).isAccepted());
    }

    /** The rows of the history whose change sets are not in the change log. */
    List<RanChangeSet> unknown() throws LiquibaseException {
        return database.getRanChangeSetList().stream()
                .filter(row -> changeLog.getChangeSets(row).isEmpty())
                .toList();
    }

    /** One that is unknown is newer if it has run after all that are known. */
    ScriptComparison compare() throws LiquibaseException {
        List<RanChangeSet> unknown = unknown();
        int known = database.getRanChangeSetList().stream()
                .filter(row -> !unknown.contains(row))
                .mapToInt(RanChangeSet::getOrderExecuted)
                .max()
                .orElse(0);
        List<String> newer = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        unknown.stream().filter(row -> row.getOrderExecuted() > known).forEach(row -> newer.add(row.toString()));
        ShouldRunChangeSetFilter pending = new ShouldRunChangeSetFilter(database);
        for (ChangeSet one : changeSets()) {
            if (!one.shouldAlwaysRun() && pending.accepts(one).isAccepted()) {
                (database.getRanChangeSet(one) == null ? missing : newer).add(one.toString(false));
            }
        }
        return new ScriptComparison(
                newer,
                unknown.stream()
                        .filter(row -> row.getOrderExecuted() <= known)
                        .map(RanChangeSet::toString)
                        .toList(),
                missing);
    }

    /** Runs what has not run yet. Each change set and its row in the history are one transaction, unless it runs outside of one. */
    void update(String where) {
        ChangeSetTransactions transactions = new ChangeSetTransactions(connection);
        try {
            ChangeLogHistoryService history = history();
            history.init();
            begin(history);
            history.upgradeChecksums(changeLog, contexts, labels);
            validate();
            new ChangeLogIterator(changeLog, filters)
                    .run(
                            new UpdateVisitor(database, transactions, new ShouldRunChangeSetFilter(database)),
                            new RuntimeEnvironment(database, contexts, labels));
        } catch (LiquibaseException | RuntimeException e) {
            throw new ShardMigrationException(ChangeLogFailure.message(e, transactions.running(), where), e);
        }
    }

    /** A schema that is empty now is not taken for one that was filled before, if its first change set commits without a row. */
    private void begin(ChangeLogHistoryService history) throws LiquibaseException {
        if (history.getRanChangeSets().isEmpty()) {
            if (!database.isFilled()) {
                database.markEmptyBefore();
            } else if (!database.wasEmptyBefore()) {
                recordBaseline(history);
            }
        }
    }

    /** In one transaction. */
    private void recordBaseline(ChangeLogHistoryService history) throws LiquibaseException {
        List<ChangeSet> before = baseline();
        if (before.isEmpty()) {
            return;
        }
        connection.defer(true);
        for (ChangeSet one : before) {
            history.setExecType(one, ChangeSet.ExecType.EXECUTED);
        }
        connection.defer(false);
        connection.commit();
    }

    /** Stores the checksums of today of those that have run with others. */
    void repair() throws LiquibaseException {
        ChangeLogHistoryService history = history();
        for (ChangeSet one : changeSets()) {
            if (history.getRunStatus(one) == RunStatus.INVALID_MD5SUM) {
                history.replaceChecksum(one);
            }
        }
    }

    private void validate() throws LiquibaseException {
        changeLog.validate(database, contexts, labels);
    }

    private ChangeLogHistoryService history() {
        return Scope.getCurrentScope()
                .getSingleton(ChangeLogHistoryServiceFactory.class)
                .getChangeLogService(database);
    }
}
