package io.github.shardedid.kotlin

import io.github.shardedid.hibernate.ShardKey
import io.github.shardedid.spring.data.AllShards
import org.springframework.data.jpa.repository.JpaRepository
import org.springframework.data.jpa.repository.Query
import org.springframework.data.repository.Repository

interface AuthorRepository : JpaRepository<Author, Long> {
    @AllShards
    fun findByNameOrderById(name: String): List<Author>

    fun findByIdAndName(id: Long, name: String): Author?
}

interface PostRepository : JpaRepository<Post, Long> {
    fun findByAuthor(author: Author): List<Post>

    @Query("select p.title from Post p where p.title like :title")
    fun titlesLike(title: String, @ShardKey(references = Author::class) author: Long): List<String>
}

interface NoteRepository : JpaRepository<Note, Long> {
    fun findByAuthorId(authorId: Long): List<Note>
}

interface BadgeRepository : JpaRepository<Badge, Long>

interface CountryRepository : Repository<Country, String> {
    fun findByCode(code: String): Country?
}
