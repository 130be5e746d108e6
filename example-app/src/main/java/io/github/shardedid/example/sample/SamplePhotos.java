package io.github.shardedid.example.sample;

import io.github.shardedid.example.photo.Comment;
import io.github.shardedid.example.photo.CommentRepository;
import io.github.shardedid.example.photo.Location;
import io.github.shardedid.example.photo.LocationRepository;
import io.github.shardedid.example.photo.Photo;
import io.github.shardedid.example.photo.PhotoLike;
import io.github.shardedid.example.photo.PhotoLikeRepository;
import io.github.shardedid.example.photo.Picture;
import io.github.shardedid.example.photo.Uploads;
import io.github.shardedid.example.scenery.Scenery;
import io.github.shardedid.example.user.User;
import io.github.shardedid.example.user.UserRepository;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/** Posts sample photos at the first start, unless {@code example.samples} is false. */
@Component
@ConditionalOnBooleanProperty("example.samples")
class SamplePhotos implements ApplicationRunner {
    private static final Logger LOG = LoggerFactory.getLogger(SamplePhotos.class);
    private static final int PHOTOS = 36;

    private final UserRepository users;
    private final Uploads uploads;
    private final PhotoLikeRepository likes;
    private final CommentRepository comments;
    private final LocationRepository locations;

    SamplePhotos(
            UserRepository users,
            Uploads uploads,
            PhotoLikeRepository likes,
            CommentRepository comments,
            LocationRepository locations) {
        this.users = users;
        this.uploads = uploads;
        this.likes = likes;
        this.comments = comments;
        this.locations = locations;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        try {
            if (users.findByName(SampleStory.PEOPLE.get(0)).isEmpty()) {
                post(new Random(SampleStory.PEOPLE.size()));
            }
        } catch (DataAccessException e) {
            LOG.warn("Could not create all sample photos: {}", e.getMessage());
        }
    }

    private void post(Random random) {
        List<Location> known = locations.findAllByOrderByName();
        List<User> people = new ArrayList<>();
        SampleStory.PEOPLE.forEach(name -> people.add(users.save(new User(name))));
        for (int number = 0; number < PHOTOS; number++) {
            User author = people.get(number * 7 % people.size());
            int round = number / people.size(); // a user never repeats a caption
            String caption = SampleStory.CAPTIONS.get((number + round) * 5 % SampleStory.CAPTIONS.size());
            Location location = known.get(number % known.size());
            Photo photo = uploads.post(author, caption, location, Picture.jpeg(new Scenery(number).draw(960, 720)));
            for (User user : people) {
                if (random.nextInt(4) == 0) {
                    likes.save(new PhotoLike(photo, user.getId()));
                }
                if (random.nextInt(16) == 0) {
                    String text = SampleStory.COMMENTS.get(random.nextInt(SampleStory.COMMENTS.size()));
                    comments.save(new Comment(photo, user.getId(), text));
                }
            }
        }
        LOG.info("Posted {} sample photos of {} users; set example.samples=false to disable", PHOTOS, people.size());
    }
}
