package io.github.shardedid.spring.data;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Collectors;

/** A repository's method as messages write it: {@code PhotoRepository.findByCaption(String)}. */
record MethodName(Class<?> repository, Method method) {
    UnroutableMethodException unroutable(String why) {
        return new UnroutableMethodException("The call of " + this + " tells no shard: " + why
                + " Nothing was sent. Ways to name a shard: fix the id or the shard key by equality, as in"
                + " findByAuthorId(Long id); put @ShardKey on the parameter whose value decides; or call it in"
                + " ShardContext.run(shard, …). To ask all shards, put @AllShards on the method.");
    }

    @Override
    public String toString() {
        return repository.getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
