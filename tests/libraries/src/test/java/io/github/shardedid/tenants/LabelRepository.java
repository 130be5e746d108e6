package io.github.shardedid.tenants;

import java.util.UUID;
import org.springframework.data.jpa.repository.JpaRepository;

interface LabelRepository extends JpaRepository<Label, UUID> {}
