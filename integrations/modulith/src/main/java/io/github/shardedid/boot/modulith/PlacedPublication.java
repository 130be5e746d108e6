package io.github.shardedid.boot.modulith;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.modulith.events.core.PublicationTargetIdentifier;
import org.springframework.modulith.events.core.TargetEventPublication;

/** A publication with an id that names its shard. As safe for use by several threads as the publication. */
final class PlacedPublication implements TargetEventPublication {
    private final TargetEventPublication publication;
    private final UUID id;

    PlacedPublication(TargetEventPublication publication, int shard) {
        this.publication = publication;
        this.id = PublicationIds.of(publication.getIdentifier(), shard);
    }

    @Override
    public UUID getIdentifier() {
        return id;
    }

    @Override
    public Object getEvent() {
        return publication.getEvent();
    }

    @Override
    public PublicationTargetIdentifier getTargetIdentifier() {
        return publication.getTargetIdentifier();
    }

    @Override
    public Instant getPublicationDate() {
        return publication.getPublicationDate();
    }

    @Override
    public Optional<Instant> getCompletionDate() {
        return publication.getCompletionDate();
    }

    @Override
    public Status getStatus() {
        return publication.getStatus();
    }

    @Override
    public @Nullable Instant getLastResubmissionDate() {
        return publication.getLastResubmissionDate();
    }

    @Override
    public int getCompletionAttempts() {
        return publication.getCompletionAttempts();
    }

    @Override
    public void markCompleted(Instant instant) {
        publication.markCompleted(instant);
    }

    @Override
    public String toString() {
        return "event publication " + id + " to " + getTargetIdentifier();
    }
}
