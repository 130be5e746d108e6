package io.github.shardedid.boot.units;

import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

/** The rows before the adoption. */
public interface LegacyParcels extends JpaRepository<Parcel, UUID> {
    List<Parcel> findByLabel(String label);
}
