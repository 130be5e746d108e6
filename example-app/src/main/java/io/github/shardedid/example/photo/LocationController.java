package io.github.shardedid.example.photo;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Locations over HTTP. */
@RestController
class LocationController {
    private final LocationRepository repository;

    LocationController(LocationRepository repository) {
        this.repository = repository;
    }

    @GetMapping("/locations")
    List<LocationView> locations() {
        return repository.findAllByOrderByName().stream()
                .map(location -> new LocationView(location.getId(), location.getName()))
                .toList();
    }

    /** A location in responses. */
    record LocationView(int id, String name) {}
}
