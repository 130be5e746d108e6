package io.github.shardedid.kotlin

import io.github.shardedid.hibernate.IdStrategy
import io.github.shardedid.hibernate.ShardKey
import io.github.shardedid.hibernate.ShardedId
import jakarta.persistence.Entity
import jakarta.persistence.FetchType.LAZY
import jakarta.persistence.Id
import jakarta.persistence.ManyToOne
import jakarta.persistence.OneToMany

/** An ordinary class, whose id is generated. */
@Entity
class Author(var name: String) {
    @Id
    @ShardedId
    var id: Long? = null
        protected set

    @OneToMany(mappedBy = "author")
    var posts: MutableList<Post> = mutableListOf()
}

/** All attributes are in the constructor, and the id is a `val`. */
@Entity
class Post(
    @field:ShardKey @ManyToOne(fetch = LAZY) val author: Author,
    var title: String,
    @ManyToOne(fetch = LAZY) var country: Country? = null,
    @Id @ShardedId(strategy = IdStrategy.JVM) val id: Long? = null,
)

/** A data class, whose id is a primitive. */
@Entity
data class Note(
    @field:ShardKey(references = Author::class) val authorId: Long,
    val text: String,
    @Id @ShardedId(strategy = IdStrategy.COLUMN_DEFAULT) val id: Long = 0,
)

/** Final, so that Hibernate has no proxies for it. */
@Entity
final class Badge(
    @field:ShardKey @ManyToOne(fetch = LAZY) val post: Post,
    val color: String,
    @Id @ShardedId val id: Long? = null,
)

/** Global, with an id of its own. */
@Entity
data class Country(@Id val code: String, val name: String)
