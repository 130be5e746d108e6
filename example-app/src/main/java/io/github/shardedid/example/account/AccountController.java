package io.github.shardedid.example.account;

import io.github.shardedid.example.photo.CommentRepository;
import io.github.shardedid.example.photo.PhotoLikeRepository;
import io.github.shardedid.example.user.User;
import io.github.shardedid.example.user.Users;
import io.github.shardedid.hibernate.KeyRows;
import io.github.shardedid.spring.id.IdOf;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Exports and deletes the account of a user: the row, the photos, and all that lives with these in the user's shard. The example has no
 * passwords; an application lets only the user do this.
 */
@RestController
@RequestMapping("/users/{id}")
class AccountController {
    private final KeyRows rows;
    private final Users users;
    private final PhotoLikeRepository likes;
    private final CommentRepository comments;

    AccountController(KeyRows rows, Users users, PhotoLikeRepository likes, CommentRepository comments) {
        this.rows = rows;
        this.users = users;
        this.likes = likes;
        this.comments = comments;
    }

    @GetMapping("/rows")
    Account count(@PathVariable @IdOf(User.class) long id) {
        return Account.of(rows.count(User.class, users.get(id).getId()));
    }

    @GetMapping("/export")
    void export(@PathVariable @IdOf(User.class) long id, HttpServletResponse response) throws IOException {
        Long user = users.get(id).getId();
        response.setContentType("application/jsonl");
        response.setCharacterEncoding(StandardCharsets.UTF_8);
        response.setHeader("Content-Disposition", "attachment; filename=\"account.jsonl\"");
        rows.export(User.class, user, response.getWriter());
    }

    /** What the user wrote about photos of others is in their shards, so it is deleted first. */
    @DeleteMapping
    Account delete(@PathVariable @IdOf(User.class) long id) {
        Long user = users.get(id).getId();
        likes.findByUserId(user).forEach(likes::delete);
        comments.findByUserId(user).forEach(comments::delete);
        return Account.of(rows.erase(User.class, user));
    }

    /** The rows of an account. */
    record Account(long rows, long left, List<Table> tables) {
        static Account of(KeyRows.Report report) {
            return new Account(
                    report.rows(),
                    report.left(),
                    report.tables().stream()
                            .map(each -> new Table(each.table(), each.rows(), each.left()))
                            .toList());
        }
    }

    /** The rows of a table. */
    record Table(String name, long rows, long left) {}
}
