package io.github.shardedid.example.photo;

import io.github.shardedid.example.id.Ids;
import io.github.shardedid.example.user.User;
import io.github.shardedid.example.user.Users;
import io.github.shardedid.spring.id.IdOf;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Comments over HTTP. */
@RestController
@RequestMapping("/photos/{id}/comments")
class CommentController {
    private final CommentRepository repository;
    private final Photos photos;
    private final Users users;
    private final Ids ids;

    CommentController(CommentRepository repository, Photos photos, Users users, Ids ids) {
        this.repository = repository;
        this.photos = photos;
        this.users = users;
        this.ids = ids;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    CommentView comment(@PathVariable @IdOf(Photo.class) long id, @Valid @RequestBody NewComment comment) {
        Photo photo = photos.get(id);
        User user = users.get(comment.user());
        Comment saved = repository.save(new Comment(photo, user.getId(), comment.text()));
        return view(saved, Map.of(user.getId(), user.getName()));
    }

    @GetMapping
    Page<CommentView> comments(@PathVariable @IdOf(Photo.class) long id, @Valid Page.Request page) {
        Long photo = photos.get(id).getId();
        List<Comment> found =
                repository.findByPhotoIdAndIdLessThanOrderByIdDesc(photo, page.beforeId(), page.oneMore());
        return Page.of("/photos/" + photo + "/comments", page, found, Comment::getId, this::views);
    }

    private List<CommentView> views(List<Comment> comments) {
        Map<Long, String> names =
                users.names(comments.stream().map(Comment::getUserId).toList());
        return comments.stream().map(comment -> view(comment, names)).toList();
    }

    private CommentView view(Comment comment, Map<Long, String> names) {
        return new CommentView(
                comment.getId(),
                comment.getUserId(),
                names.get(comment.getUserId()),
                comment.getText(),
                ids.createdAt(comment.getId()));
    }

    /** The request to create a comment. */
    record NewComment(@NotNull @IdOf(User.class) Long user, @NotBlank @Size(max = 2200) String text) {}

    /** A comment in responses. The name is null while the user's database is down. */
    record CommentView(
            @IdOf(Comment.class) long id,
            @IdOf(User.class) long user,
            @Nullable String userName,
            String text,
            Instant createdAt) {}
}
