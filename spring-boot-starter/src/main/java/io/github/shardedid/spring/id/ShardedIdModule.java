package io.github.shardedid.spring.id;

import io.github.shardedid.id.IdLayout;
import java.time.Instant;
import java.util.function.IntSupplier;
import tools.jackson.databind.module.SimpleModule;

/**
 * Jackson module that writes sharded ids as text, and reads them from texts and numbers: the {@code @ShardedId} of an entity, an id
 * derived by {@code @MapsId}, a {@code @ShardKey} with {@code references}, and properties annotated with
 * {@link io.github.shardedid.spring.id.IdOf}. A serializer that the application sets on such a property takes precedence. Other numbers
 * that JavaScript would round and that the cluster can have generated are logged once for each property.
 */
public final class ShardedIdModule extends SimpleModule {
    private static final long serialVersionUID = 1;

    private final transient IdText ids;
    private final transient IdLayout layout;
    private final transient IntSupplier shards;

    /**
     * Creates the module.
     *
     * @param ids reads and writes the ids
     * @param layout the layout of the ids
     * @param shards returns the number of shards that the cluster has now
     */
    public ShardedIdModule(IdText ids, IdLayout layout, IntSupplier shards) {
        this.ids = ids;
        this.layout = layout;
        this.shards = shards;
    }

    private boolean canBeId(long number) {
        return layout.isId(number)
                && layout.shardOf(number) < shards.getAsInt()
                && !layout.decode(number).instant().isAfter(Instant.now());
    }

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.appendAnnotationIntrospector(new IdIntrospector(ids));
        context.addSerializerModifier(LargeNumberSerializer.modifier(this::canBeId));
    }
}
