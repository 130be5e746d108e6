package io.github.shardedid.example.photo;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Places over HTTP. */
@RestController
class PlaceController {
    private final PlaceRepository repository;

    PlaceController(PlaceRepository repository) {
        this.repository = repository;
    }

    @GetMapping("/places")
    List<PlaceView> places() {
        return repository.findAllByOrderByName().stream()
                .map(place -> new PlaceView(place.getId(), place.getName()))
                .toList();
    }

    /** A place in responses. */
    record PlaceView(int id, String name) {}
}
