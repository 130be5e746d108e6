package io.github.shardedid.boot.differential;

import java.util.EnumSet;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.mapping.SimpleValue;
import org.jspecify.annotations.Nullable;

/**
 * Lets the sharded entities be mapped without shards where a setting asks for it: new rows get the ids that the other side
 * has made. A service of Hibernate's.
 */
public final class PlainIds implements AdditionalMappingContributor {
    /** The setting: a {@link PlainHibernate}. */
    static final String PLAIN = "differential.plain";

    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator resources,
            MetadataBuildingContext context) {
        Object setting = context.getBootstrapContext()
                .getConfigurationService()
                .getSettings()
                .get(PLAIN);
        if (setting instanceof PlainHibernate plain) {
            for (Kind kind : Kind.values()) {
                var entity = metadata.getEntityBinding(kind.type.getName());
                ((SimpleValue) entity.getIdentifier())
                        .setCustomIdGeneratorCreator(creation -> new GivenIds(kind, plain));
            }
        }
    }

    /** Preset ids are kept. */
    private record GivenIds(Kind kind, PlainHibernate plain) implements BeforeExecutionGenerator {
        @Override
        public Object generate(
                SharedSessionContractImplementor session, Object owner, @Nullable Object current, EventType type) {
            if (current != null) {
                return current;
            }
            long id = plain.numbers().give(kind, (Row) owner);
            // Making an id for a shard counts as a write there, whatever becomes of the row.
            plain.written().get().touches(id);
            return id;
        }

        @Override
        public EnumSet<EventType> getEventTypes() {
            return EventTypeSets.INSERT_ONLY;
        }

        @Override
        public boolean allowAssignedIdentifiers() {
            return true;
        }
    }
}
