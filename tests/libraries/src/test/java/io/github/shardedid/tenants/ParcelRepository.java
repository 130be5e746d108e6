package io.github.shardedid.tenants;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

interface ParcelRepository extends JpaRepository<Parcel, Long> {
    List<Parcel> findBySubject(String subject);

    List<Parcel> findByCustomerIgnoreCase(String customer);
}
