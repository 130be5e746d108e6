package io.github.shardedid.spring.id;

import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/**
 * Jackson module that writes sharded ids as text, and reads them from texts and numbers: the {@code @ShardedId} of an entity, an id
 * derived by {@code @MapsId}, a {@code @ShardKey} with {@code references}, and properties annotated with
 * {@link io.github.shardedid.spring.id.IdOf}. A serializer that the application sets on such a property takes precedence. Other numbers
 * that JavaScript would round and that the cluster can have generated are logged once for each property.
 */
public final class ShardedIdModule extends JacksonModule {
    private final transient IdText ids;

    /**
     * Creates the module.
     *
     * @param ids reads and writes the ids
     */
    public ShardedIdModule(IdText ids) {
        this.ids = ids;
    }

    @Override
    public String getModuleName() {
        return ShardedIdModule.class.getName();
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public void setupModule(SetupContext context) {
        context.appendAnnotationIntrospector(new IdIntrospector(ids));
    }
}
