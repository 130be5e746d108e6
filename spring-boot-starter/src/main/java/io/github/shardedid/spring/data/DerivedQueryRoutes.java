package io.github.shardedid.spring.data;

import io.github.shardedid.hibernate.EntityShards;
import io.github.shardedid.hibernate.ShardKeyException;
import io.github.shardedid.hibernate.ShardRule;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.query.DefaultParameters;
import org.springframework.data.repository.query.Parameter;
import org.springframework.data.repository.query.ParametersSource;
import org.springframework.data.repository.query.parser.Part;
import org.springframework.data.repository.query.parser.PartTree;

/** The routes of queries derived from the method's name, where it fixes the id or the shard key by equality. */
record DerivedQueryRoutes(RepositoryInformation repository, EntityShards shards) {
    /** Empty if the name is not one of a derived query, or fixes nothing that tells a shard. */
    Optional<MethodRoute> of(MethodName name) {
        Class<?> entity = repository.getDomainType();
        PartTree tree;
        try {
            tree = new PartTree(name.method().getName(), entity);
        } catch (IllegalArgumentException | org.springframework.data.core.PropertyReferenceException notDerived) {
            return Optional.empty();
        }
        List<PartTree.OrPart> alternatives = tree.stream().toList();
        if (alternatives.size() != 1) {
            return Optional.empty();
        }
        Iterator<Integer> arguments = new DefaultParameters(ParametersSource.of(repository, name.method()))
                .getBindableParameters().stream().map(Parameter::getIndex).iterator();
        MethodRoute found = null;
        for (Part part : alternatives.get(0)) {
            int index = -1;
            for (int i = 0; i < part.getNumberOfArguments() && arguments.hasNext(); i++) {
                index = arguments.next();
            }
            Optional<ShardRule> rule = fixes(part) ? ruleOf(entity, part) : Optional.empty();
            boolean isId = part.getProperty().toDotPath().equals(shards.idOf(entity));
            if (index >= 0 && rule.isPresent() && (found == null || isId)) {
                found = byArgument(name, part.getProperty().toDotPath(), rule.get(), index, tree.isDelete());
            }
        }
        return Optional.ofNullable(found);
    }

    /** Equality without regard to case would match values of other hashes. */
    private static boolean fixes(Part part) {
        return part.getType() == Part.Type.SIMPLE_PROPERTY && part.shouldIgnoreCase() == Part.IgnoreCaseType.NEVER;
    }

    private Optional<ShardRule> ruleOf(Class<?> entity, Part part) {
        return shards.byPath(entity, part.getProperty().toDotPath());
    }

    private static MethodRoute byArgument(MethodName name, String path, ShardRule rule, int index, boolean write) {
        return arguments -> {
            Object value = arguments[index];
            if (value == null) {
                throw new ShardKeyException(name + " was called with null for " + path
                        + ", which tells no shard. Pass a value, or call a query for null in ShardContext.run(shard, …)."
                        + " Nothing was sent.");
            }
            return MethodRoute.byValue(rule, value, write);
        };
    }
}
