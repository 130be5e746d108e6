package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ShardRule;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.query.DefaultParameters;
import org.springframework.data.repository.query.Parameter;
import org.springframework.data.repository.query.ParametersSource;
import org.springframework.data.repository.query.parser.Part;
import org.springframework.data.repository.query.parser.PartTree;

/** Routes of queries that are derived from method names and fix the id or the shard key by equality. */
record DerivedQueryRoutes(RepositoryInformation repository, EntityShards shards) {
    /** Empty if the name is not that of a derived query, or does not determine a shard. */
    Optional<MethodRoute> of(MethodName name) {
        String id = shards.idOf(repository.getDomainType());
        ArgumentUse found = null;
        for (ArgumentUse use : uses(name)) {
            if (use.decides() && (found == null || use.path().equals(id))) {
                found = use;
            }
        }
        return found == null || found.rule() == null
                ? Optional.empty()
                : Optional.of(name.byArgument(found.index(), found.path(), found.rule(), name.writes()));
    }

    /** What each argument is compared with. Empty if the name is not that of a derived query. */
    List<ArgumentUse> uses(MethodName name) {
        PartTree tree;
        try {
            tree = new PartTree(name.method().getName(), repository.getDomainType());
        } catch (IllegalArgumentException | org.springframework.data.core.PropertyReferenceException notDerived) {
            return List.of();
        }
        List<PartTree.OrPart> alternatives = tree.stream().toList();
        Iterator<Integer> arguments = new DefaultParameters(ParametersSource.of(repository, name.method()))
                .getBindableParameters().stream().map(Parameter::getIndex).iterator();
        List<ArgumentUse> uses = new ArrayList<>();
        for (PartTree.OrPart alternative : alternatives) {
            for (Part part : alternative) {
                ShardRule rule = fixes(part) ? ruleOf(part) : null;
                for (int i = 0; i < part.getNumberOfArguments() && arguments.hasNext(); i++) {
                    uses.add(new ArgumentUse(
                            arguments.next(),
                            part.getProperty().toDotPath(),
                            rule,
                            rule != null && alternatives.size() == 1));
                }
            }
        }
        return uses;
    }

    /** Case-insensitive equality would match values with other hashes, which are in other shards. */
    private static boolean fixes(Part part) {
        return part.getType() == Part.Type.SIMPLE_PROPERTY && part.shouldIgnoreCase() == Part.IgnoreCaseType.NEVER;
    }

    private @Nullable ShardRule ruleOf(Part part) {
        return shards.byPath(repository.getDomainType(), part.getProperty().toDotPath())
                .orElse(null);
    }
}
