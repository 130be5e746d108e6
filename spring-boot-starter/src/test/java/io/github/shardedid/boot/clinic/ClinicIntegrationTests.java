package io.github.shardedid.boot.clinic;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.shardedid.boot.app.DatabaseProperties;
import io.github.shardedid.test.PostgresServers;
import io.github.shardedid.test.TestDatabase;
import io.github.shardedid.topology.Cluster;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What the pages of PetClinic do, with the changes of docs/petclinic.md. */
@Tag("slow")
class ClinicIntegrationTests {
    private static final List<TestDatabase> DATABASES = new ArrayList<>();

    private static ConfigurableApplicationContext context;
    private static OwnerRepository owners;
    private static PetTypeRepository types;

    @BeforeAll
    static void start() {
        List<String> properties = new ArrayList<>(List.of(
                "spring.config.location=classpath:documented/petclinic.yml",
                "sharded-id.epoch=" + Instant.now().minus(30, ChronoUnit.DAYS).truncatedTo(ChronoUnit.DAYS),
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off"));
        for (int i = 1; i <= 2; i++) {
            TestDatabase database = PostgresServers.shared(i).newDatabase();
            DATABASES.add(database);
            properties.addAll(DatabaseProperties.of("pg" + i, database));
        }
        context = new SpringApplicationBuilder(ClinicApp.class)
                .run(properties.stream().map(each -> "--" + each).toArray(String[]::new));
        owners = context.getBean(OwnerRepository.class);
        types = context.getBean(PetTypeRepository.class);
    }

    @AfterAll
    static void stop() {
        context.close();
        DATABASES.forEach(TestDatabase::drop);
    }

    private static int shardOf(BaseEntity entity) {
        return context.getBean(Cluster.class).shardOf(requireNonNull(entity.getId()));
    }

    @Test
    void petsAndVisitsAreStoredWithTheirOwner() {
        PetType dog = types.findPetTypes().get(1);
        assertThat(dog.getName()).isEqualTo("dog");
        Set<Integer> shards = new HashSet<>();
        for (int i = 0; i < 8; i++) {
            Owner owner = new Owner("Estaban " + i);
            owner.getPets().add(new Pet("Rex", dog));
            long id = requireNonNull(owners.save(owner).getId());
            Owner found = owners.findById(id).orElseThrow();
            found.getPets().get(0).getVisits().add(new Visit(LocalDate.of(2024, 5, 1), "shots"));
            owners.save(found);

            Owner again = owners.findById(id).orElseThrow();
            Pet pet = again.getPets().get(0);
            assertThat(requireNonNull(pet.getType()).getName()).isEqualTo("dog");
            assertThat(pet.getVisits()).extracting(Visit::getDescription).containsExactly("shots");
            assertThat(shardOf(pet)).isEqualTo(shardOf(again));
            assertThat(pet.getVisits()).allMatch(visit -> shardOf(visit) == shardOf(again));
            shards.add(shardOf(again));
        }
        assertThat(shards).hasSizeGreaterThan(1);
    }

    @Test
    void ownersAreListedByPages() {
        List<String> names =
                IntStream.range(0, 7).mapToObj(i -> "Rodriquez " + i).toList();
        owners.saveAll(names.stream().map(Owner::new).toList());
        Sort byName = Sort.by("lastName");
        Page<Owner> first = owners.findByLastNameStartingWith("Rodriquez", PageRequest.of(0, 5, byName));
        Page<Owner> second = owners.findByLastNameStartingWith("Rodriquez", PageRequest.of(1, 5, byName));
        assertThat(first.getTotalElements()).isEqualTo(7);
        assertThat(first.getContent()).extracting(Owner::getLastName).isEqualTo(names.subList(0, 5));
        assertThat(second.getContent()).extracting(Owner::getLastName).isEqualTo(names.subList(5, 7));
    }

    /** As the controller of PetClinic asks for them. */
    @Test
    void pagesWithoutAnOrderDoNotOverlap() {
        List<String> names = IntStream.range(0, 7).mapToObj(i -> "Coleman " + i).toList();
        owners.saveAll(names.stream().map(Owner::new).toList());
        List<Owner> listed = new ArrayList<>(owners.findByLastNameStartingWith("Coleman", PageRequest.of(0, 5))
                .getContent());
        listed.addAll(owners.findByLastNameStartingWith("Coleman", PageRequest.of(1, 5))
                .getContent());
        assertThat(listed).extracting(Owner::getLastName).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void sampleRowsKeepTheirIds() {
        assertThat(owners.findById(1L)).map(Owner::getLastName).contains("Franklin");
        assertThat(owners.findByLastNameStartingWith("Davis", PageRequest.of(0, 5, Sort.by("id"))))
                .extracting(Owner::getId)
                .containsExactly(2L, 3L);
    }

    @Test
    void vetsAndTypesAreGlobal() {
        VetRepository vets = context.getBean(VetRepository.class);
        assertThat(vets.findAll()).hasSize(2);
        Page<Vet> page = vets.findAll(PageRequest.of(1, 1, Sort.by("name")));
        assertThat(page.getContent()).singleElement().satisfies(vet -> assertThat(vet.getSpecialties())
                .extracting(Specialty::getName)
                .containsExactly("radiology"));
    }

    @Test
    void aRenamedPetIsSavedWithItsOwner() {
        Owner owner = new Owner("McTavish");
        owner.getPets().add(new Pet("Max", types.findPetTypes().get(0)));
        long id = requireNonNull(owners.save(owner).getId());
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status ->
                        owners.findById(id).orElseThrow().getPets().get(0).setName("Maxi"));
        assertThat(owners.findById(id).orElseThrow().getPets())
                .extracting(Pet::getName)
                .containsExactly("Maxi");
    }
}
