package io.github.shardedid.boot.app;

import com.querydsl.core.types.dsl.EntityPathBase;
import com.querydsl.core.types.dsl.NumberPath;
import com.querydsl.core.types.dsl.SimplePath;
import com.querydsl.core.types.dsl.StringPath;

/** As Querydsl generates it. */
public class QPhoto extends EntityPathBase<Photo> {
    private static final long serialVersionUID = 1;

    public static final QPhoto photo = new QPhoto("photo");

    public final NumberPath<Long> id = createNumber("id", Long.class);
    public final StringPath caption = createString("caption");
    public final SimplePath<User> author = createSimple("author", User.class);

    public QPhoto(String variable) {
        super(Photo.class, variable);
    }
}
