package io.github.shardedid.spring.json;

import io.github.shardedid.spring.id.IdText;
import tools.jackson.core.Version;
import tools.jackson.databind.JacksonModule;

/**
 * Writes sharded ids as text, and reads them from texts and numbers: the {@code @ShardedId} of an entity, an id that a row takes
 * over by {@code @MapsId}, a {@code @ShardKey} that names what it references, and what is annotated with
 * {@link io.github.shardedid.spring.id.IdOf}. A serializer of the application's own on such a property counts more.
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
