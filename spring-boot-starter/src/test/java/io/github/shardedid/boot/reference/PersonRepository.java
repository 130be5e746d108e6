package io.github.shardedid.boot.reference;

import io.github.shardedid.spring.data.AllShards;
import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

interface PersonRepository extends JpaRepository<Person, Long> {
    @AllShards
    List<Person> findByRolesNameOrderByIdDesc(String name);

    @AllShards
    @Query("select count(p) from Person p join p.country c where c.name = ?1")
    long countInCountry(String name);
}
