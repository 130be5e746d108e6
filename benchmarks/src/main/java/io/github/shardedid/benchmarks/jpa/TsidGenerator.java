package io.github.shardedid.benchmarks.jpa;

import io.hypersistence.tsid.TSID;
import java.util.EnumSet;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.jspecify.annotations.Nullable;

/**
 * Makes ids by a {@code TSID.Factory} with its own settings. The generator of {@code hypersistence-utils} does the same with
 * the same factory; it is written again here because that library is not needed for anything else.
 */
public final class TsidGenerator implements BeforeExecutionGenerator {
    private final TSID.Factory factory = new TSID.Factory();

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return factory.generate().toLong();
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EnumSet.of(EventType.INSERT);
    }
}
