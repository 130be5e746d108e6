package io.github.shardedid.boot.units;

import java.util.List;
import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

public interface ParcelRepository extends JpaRepository<Parcel, UUID> {
    List<Parcel> findByDepot(String depot);

    List<Parcel> findByLabel(String label);
}
