package io.github.shardedid.example.user;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.spring.id.IdOf;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.Instant;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Users over HTTP. */
@RestController
@RequestMapping("/users")
class UserController {
    private final UserRepository repository;
    private final Users users;
    private final Ids ids;

    UserController(UserRepository repository, Users users, Ids ids) {
        this.repository = repository;
        this.users = users;
        this.ids = ids;
    }

    @PostMapping
    ResponseEntity<UserView> create(@Valid @RequestBody NewUser user) {
        try {
            UserView created = view(repository.save(new User(user.name().strip())));
            return ResponseEntity.created(URI.create("/users/" + created.id())).body(created);
        } catch (DataIntegrityViolationException e) {
            throw taken(user.name().strip(), e);
        }
    }

    /** Returns the existing user, or creates a new one. */
    @PutMapping
    UserView signUp(@Valid @RequestBody NewUser user) {
        String name = user.name().strip();
        return repository.findByName(name).map(this::view).orElseGet(() -> signUp(name));
    }

    /** If two clients sign up the same name at the same time, its claim lets one win, and both get that user. */
    private UserView signUp(String name) {
        try {
            return view(repository.save(new User(name)));
        } catch (DataIntegrityViolationException e) {
            return repository.findByName(name).map(this::view).orElseThrow(() -> taken(name, e));
        }
    }

    private static ResponseStatusException taken(String name, DataIntegrityViolationException e) {
        return new ResponseStatusException(
                HttpStatus.CONFLICT,
                "The name \"" + name + "\" is already taken, in upper or lower case. Please choose another name.",
                e);
    }

    @GetMapping("/{id}")
    UserView user(@PathVariable @IdOf(User.class) long id) {
        return view(users.get(id));
    }

    @GetMapping
    UserView userNamed(@RequestParam String name) {
        return repository
                .findByName(name.strip())
                .map(this::view)
                .orElseThrow(() -> new ResponseStatusException(
                        HttpStatus.NOT_FOUND, "There is no user named \"" + name.strip() + "\"."));
    }

    private UserView view(User user) {
        return new UserView(user.getId(), ids.text(user.getId()), user.getName(), ids.createdAt(user.getId()));
    }

    /** The request to create a user. */
    record NewUser(@NotBlank @Size(max = 40) String name) {}

    /** A user in responses. */
    record UserView(@IdOf(User.class) long id, String text, String name, Instant createdAt) {}
}
