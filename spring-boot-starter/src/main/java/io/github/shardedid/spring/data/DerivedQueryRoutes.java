package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ShardRule;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.query.DefaultParameters;
import org.springframework.data.repository.query.Parameter;
import org.springframework.data.repository.query.ParametersSource;
import org.springframework.data.repository.query.parser.Part;
import org.springframework.data.repository.query.parser.PartTree;

/** Conditions of queries that are derived from method names and fix the id or the shard key by equality, or by a list. */
record DerivedQueryRoutes(RepositoryInformation repository, EntityShards shards) {
    /** Returns whether the name fixes the id or the shard key, and has no alternatives, so that the statement determines its shards. */
    boolean areDetermined(MethodName name) {
        return onlyAlternative(name).anyMatch(part -> fixes(part) && ruleOf(part) != null);
    }

    /** Returns the conditions of a name that has no alternatives; none otherwise, as in findTop10ByOrderByName. */
    private Stream<Part> onlyAlternative(MethodName name) {
        List<PartTree.OrPart> alternatives =
                tree(name).stream().flatMap(PartTree::stream).toList();
        return alternatives.size() == 1 ? alternatives.get(0).stream() : Stream.empty();
    }

    /**
     * Returns whether the name fixes unique values, of which only the statement can find the shard. Its equalities are read as a query,
     * so that this agrees with what is executed.
     */
    boolean areUnique(MethodName name) {
        List<String> equalities = new ArrayList<>();
        for (Part part : onlyAlternative(name).toList()) {
            boolean text = part.getProperty().getType() == String.class;
            String equality = text && part.shouldIgnoreCase() != Part.IgnoreCaseType.NEVER
                    ? "lower(e.%s) = lower(:p%d)"
                    : "e.%s = :p%d";
            if (part.getType() == Part.Type.SIMPLE_PROPERTY) {
                equalities.add(equality.formatted(part.getProperty().toDotPath(), equalities.size()));
            }
        }
        try {
            return !equalities.isEmpty()
                    && shards.undetermined("from " + repository.getDomainType().getName() + " e where "
                                    + String.join(" and ", equalities))
                            .isEmpty();
        } catch (IllegalArgumentException collection) {
            return false; // a path over the elements of a collection, which is a join
        }
    }

    /** Empty if the name is not that of a derived query. */
    private Optional<PartTree> tree(MethodName name) {
        try {
            return Optional.of(new PartTree(name.method().getName(), repository.getDomainType()));
        } catch (IllegalArgumentException | org.springframework.data.core.PropertyReferenceException notDerived) {
            return Optional.empty();
        }
    }

    /** Returns what each argument is compared with. Empty if the name is not that of a derived query. */
    List<ArgumentUse> uses(MethodName name) {
        PartTree tree = tree(name).orElse(null);
        if (tree == null) {
            return List.of();
        }
        List<PartTree.OrPart> alternatives = tree.stream().toList();
        Iterator<Integer> arguments = new DefaultParameters(ParametersSource.of(repository, name.method()))
                .getBindableParameters().stream().map(Parameter::getIndex).iterator();
        // Refuses paths that lead to rows of other shards.
        tree.getSort().forEach(order -> shards.byPath(repository.getDomainType(), order.getProperty()));
        List<ArgumentUse> uses = new ArrayList<>();
        for (PartTree.OrPart alternative : alternatives) {
            for (Part part : alternative) {
                boolean list = part.getType() == Part.Type.IN;
                ShardRule ofPath = ruleOf(part);
                ShardRule rule = fixes(part) ? ofPath : null;
                boolean decides = rule != null && alternatives.size() == 1;
                for (int i = 0; i < part.getNumberOfArguments() && arguments.hasNext(); i++) {
                    uses.add(new ArgumentUse(
                            arguments.next(), part.getProperty().toDotPath(), rule, decides && !list, decides && list));
                }
            }
        }
        return uses;
    }

    /** Why the name determines no shard. */
    String undetermined(MethodName name) {
        boolean ignoresCase = tree(name).stream()
                .flatMap(PartTree::stream)
                .flatMap(PartTree.OrPart::stream)
                .anyMatch(part -> part.shouldIgnoreCase() != Part.IgnoreCaseType.NEVER && ruleOf(part) != null);
        return ignoresCase
                ? "its name compares the shard key with IgnoreCase, but texts that differ in case have different shards."
                        + " Compare it as it is stored."
                : "its name fixes neither the id nor the shard key.";
    }

    /** Case-insensitive equality would match values with other hashes, which are in other shards. */
    private static boolean fixes(Part part) {
        boolean equality = part.getType() == Part.Type.SIMPLE_PROPERTY || part.getType() == Part.Type.IN;
        return equality && part.shouldIgnoreCase() == Part.IgnoreCaseType.NEVER;
    }

    private @Nullable ShardRule ruleOf(Part part) {
        return shards.byPath(repository.getDomainType(), part.getProperty().toDotPath())
                .orElse(null);
    }
}
