package io.github.shardedid.boot.clinic;

import io.github.shardedid.hibernate.GlobalEntity;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;

@Entity
@GlobalEntity
@Table(name = "types")
class PetType extends NamedEntity {}
