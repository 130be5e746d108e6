package io.github.shardedid.hibernate;

import io.github.shardedid.ShardedIdException;
import java.util.List;

/**
 * Mappings or repository methods do not work with shards. Thrown at start-up, with all problems that are known; each names the class
 * and the attribute or method. A retry fails as well: change the mappings, the methods or the migrations.
 */
public class ShardedIdMappingException extends ShardedIdException {
    /** So many problems are in the message; all are in {@link #problems}. */
    private static final int SHOWN = 50;

    @SuppressWarnings("serial") // an immutable list of strings
    private final List<String> problems;

    /**
     * Creates the exception of one problem.
     *
     * @param message the entity and attribute, what is wrong with it, and what to write instead
     */
    public ShardedIdMappingException(String message) {
        this(List.of(message));
    }

    /**
     * Creates the exception of several problems.
     *
     * @param problems at least one: the entity and attribute or the repository method, what is wrong with it, and what to write
     *     instead
     */
    public ShardedIdMappingException(List<String> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    /**
     * All problems, also those that are too many for the message.
     *
     * @return at least one
     */
    public List<String> problems() {
        return problems;
    }

    private static String message(List<String> problems) {
        if (problems.size() == 1) {
            return problems.get(0);
        }
        StringBuilder message = new StringBuilder("Found " + problems.size() + " problems:");
        for (int i = 0; i < Math.min(SHOWN, problems.size()); i++) {
            message.append(System.lineSeparator())
                    .append("    ")
                    .append(i + 1)
                    .append(". ")
                    .append(problems.get(i));
        }
        if (problems.size() > SHOWN) {
            message.append(System.lineSeparator())
                    .append("    and ")
                    .append(problems.size() - SHOWN)
                    .append(" more");
        }
        return message.toString();
    }
}
