package io.github.shardedid.boot.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.data.domain.Example;
import org.springframework.data.domain.ExampleMatcher;
import org.springframework.data.domain.KeysetScrollPosition;
import org.springframework.data.domain.Limit;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Sort;
import org.springframework.data.domain.Window;

/** Steps that ask by queries. */
final class Ask {
    private static final Sort BY_RATING = Sort.by("rating").descending().and(Sort.by("id"));

    private Ask() {}

    enum OfOwner {
        FIRST,
        BETWEEN,
        COUNT,
        EXISTS,
        WINDOWS,
        PROJECTED,
        WITH_TAGS,
        TOTAL,
        SHOTS,
        MARKS
    }

    /** Asks in one shard, which the shard key or the id tells. */
    record One(OfOwner what, int member, int number) implements Step {
        @Override
        public Object run(Side side) {
            side.flushFor(member);
            Albums albums = side.albums;
            long owner = side.id(Kind.MEMBER, member);
            return switch (what) {
                case FIRST -> albums.findByOwnerIdOrderByRatingAscIdDesc(owner, Limit.of(1 + Math.floorMod(number, 3)));
                case BETWEEN ->
                    albums.findByOwnerIdAndIdBetweenOrderById(
                            owner, Numbers.preset(0), Numbers.preset(Math.floorMod(number, 99)));
                case COUNT -> albums.countByOwnerId(owner);
                case EXISTS -> albums.existsByOwnerIdAndRating(owner, number % 4);
                case WINDOWS -> windows(position -> albums.findFirst2ByOwnerIdOrderById(owner, position));
                case PROJECTED -> albums.findByOwnerIdOrderById(owner, Titled.class);
                case WITH_TAGS ->
                    albums.findWithTagsById(side.id(Kind.ALBUM, number))
                            .map(album -> album + Text.of(album.owner()) + Text.of(album.tags()));
                case TOTAL ->
                    side.members
                            .findById(owner)
                            .map(found -> Text.of(albums.total(found)))
                            .orElse("nobody");
                case SHOTS -> side.shots.findByAlbumOwnerIdOrderById(owner);
                case MARKS -> side.marks.findByAlbumIdOrderByIdDesc(side.id(Kind.ALBUM, number));
            };
        }
    }

    enum OfAll {
        TOP,
        BETWEEN,
        FORWARDS,
        BACKWARDS,
        SLICE,
        PAGE,
        PROJECTED,
        COUNT,
        EXISTS,
        FIGURES,
        FETCHED,
        NATIVELY,
        TAGGED,
        SORTED,
        EXAMPLE,
        SPECIFICATION,
        MEMBERS,
        SHOTS,
        LISTED,
        LISTED_PAGE,
        OF_OWNERS,
        OWNERS_COUNT,
        OWNED
    }

    /** Asks all shards, or those of a list of ids. */
    record All(OfAll what, int rating, int limit) implements Step {
        @Override
        public @Nullable Object run(Side side) {
            Albums albums = side.albums;
            return switch (what) {
                case TOP -> albums.findByRatingGreaterThanOrderByRatingDescIdAsc(rating, Limit.of(limit));
                case BETWEEN ->
                    unordered(albums.findByIdBetweenOrderByRatingDesc(
                            Numbers.preset(rating), Numbers.preset(Math.floorMod(limit * 3, 99))));
                case FORWARDS -> windows(position -> albums.findFirst3ByRatingGreaterThan(rating, position, BY_RATING));
                case BACKWARDS -> backwards(albums);
                case SLICE ->
                    albums.findSliceByRatingGreaterThanOrderById(
                            rating, PageRequest.of(Math.floorMod(rating, 3), limit));
                case PAGE ->
                    albums.findPageByRatingGreaterThanOrderByIdDesc(
                            rating, PageRequest.of(Math.floorMod(rating, 3), limit));
                case PROJECTED -> albums.findProjectedByRatingOrderById(rating);
                case COUNT -> albums.countByRating(rating) + " of " + albums.count();
                case EXISTS -> albums.existsByTitle("album " + rating);
                case FIGURES -> albums.figures(rating);
                case FETCHED ->
                    albums.fetched(rating).stream()
                            .map(album -> album + Text.of(album.shots()) + Text.of(album.owner()))
                            .toList();
                case NATIVELY -> albums.natively(rating);
                case TAGGED -> albums.tagged("tag " + rating);
                case SORTED -> albums.findAll(BY_RATING);
                case EXAMPLE -> albums.findAll(example(), BY_RATING);
                case SPECIFICATION ->
                    albums.findAll((album, query, builder) -> builder.lt(album.get("rating"), rating), BY_RATING);
                case MEMBERS -> side.members.findAll(Sort.by("version", "id")) + " " + side.members.count();
                case SHOTS -> side.shots.findByCaptionOrderByIdDesc("shot " + rating);
                case LISTED -> albums.findByIdInOrderByRatingDescIdAsc(ids(side, Kind.ALBUM), Limit.of(limit));
                case LISTED_PAGE ->
                    albums.findPageByIdInOrderByRatingAscIdDesc(ids(side, Kind.ALBUM), PageRequest.of(rating, limit));
                case OF_OWNERS ->
                    unordered(albums.findByOwnerIdInAndRatingGreaterThan(ids(side, Kind.MEMBER), rating - 1));
                case OWNERS_COUNT ->
                    albums.countByOwnerIdIn(ids(side, Kind.MEMBER)) + " "
                            + albums.existsByTitleAndOwnerIdIn("album " + rating, ids(side, Kind.MEMBER));
                case OWNED -> albums.owned(ids(side, Kind.MEMBER), rating);
            };
        }

        /** Of one shard or of several, also an id that no shard can have made, and one twice. */
        private List<Long> ids(Side side, Kind kind) {
            List<Long> ids = new ArrayList<>(List.of(side.id(kind, -1), side.id(kind, -2), side.id(kind, rating)));
            for (int number = rating; number < 3 * limit; number += 1 + rating * 2) {
                ids.add(side.id(kind, number));
            }
            return ids;
        }

        private Example<Album> example() {
            Album probe = new Album(null, 0, null, "", rating);
            probe.title = null;
            return Example.of(probe, ExampleMatcher.matching().withIgnorePaths("number", "version"));
        }

        /** Once forwards for a place to begin at, then back. */
        private Object backwards(Albums albums) {
            Window<Album> there = albums.findFirst3ByRatingGreaterThan(rating, ScrollPosition.keyset(), BY_RATING);
            for (int i = 0; i < limit && there.hasNext(); i++) {
                there = albums.findFirst3ByRatingGreaterThan(rating, there.positionAt(there.size() - 1), BY_RATING);
            }
            if (there.isEmpty()) {
                return "empty";
            }
            var back = ((KeysetScrollPosition) there.positionAt(0)).backward();
            return albums.findFirst3ByRatingGreaterThan(rating, back, BY_RATING);
        }
    }

    /** Changes by a query in one shard. */
    record Retitle(int member, String title) implements Step {
        @Override
        public Object run(Side side) {
            side.flushFor(member);
            side.written().touches(side.id(Kind.MEMBER, member));
            return side.albums.retitle(side.id(Kind.MEMBER, member), title);
        }
    }

    /** Deletes by a query in one shard. */
    record DeleteShots(int album, int caption) implements Step {
        @Override
        public Object run(Side side) {
            return side.shots.deleteByAlbumIdAndCaption(side.id(Kind.ALBUM, album), "shot " + caption);
        }
    }

    private static List<String> unordered(List<?> rows) {
        return rows.stream().map(Text::of).sorted().toList();
    }

    private static List<String> windows(Function<ScrollPosition, Window<Album>> page) {
        List<String> pages = new ArrayList<>();
        ScrollPosition position = ScrollPosition.keyset();
        while (true) {
            Window<Album> window = page.apply(position);
            pages.add(Text.of(window));
            if (!window.hasNext()) {
                return pages;
            }
            position = window.positionAt(window.size() - 1);
        }
    }
}
