package io.github.shardedid.boot.differential;

/** The entities, as steps name them. */
enum Kind {
    MEMBER(Member.class),
    ALBUM(Album.class),
    SHOT(Shot.class),
    MARK(Mark.class);

    final Class<? extends Row> type;

    Kind(Class<? extends Row> type) {
        this.type = type;
    }
}
