package io.github.shardedid.boot.app;

import java.util.List;

/** Users with rows in several tables, which live with them. */
record UserRows(RunningApp app) {
    /** Saves a user with ten rows in all. */
    User userWithPhotos(int shard) {
        User user = app.userIn(shard);
        for (int i = 0; i < 3; i++) {
            Photo photo = app.photoOf(user, "photo " + i);
            app.bean(CommentRepository.class).save(new Comment(photo, "words"));
            app.bean(LikeRepository.class).save(new Like(photo.id(), "fan"));
        }
        return user;
    }

    /** Returns the rows of all tables that may have a user's, read past the application. */
    List<String> of(int shard) {
        return app.query(
                shard,
                "SELECT u::text FROM $.app_user u UNION ALL SELECT p::text FROM $.photo p UNION ALL SELECT c::text FROM"
                        + " $.photo_comment c UNION ALL SELECT l::text FROM $.photo_like l ORDER BY 1");
    }
}
