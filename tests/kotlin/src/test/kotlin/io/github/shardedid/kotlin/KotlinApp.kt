package io.github.shardedid.kotlin

import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.stereotype.Service
import org.springframework.transaction.annotation.Transactional

@SpringBootApplication
class KotlinApp

@Service
class Desk(private val posts: PostRepository) {
    @Transactional
    fun rename(id: Long, title: String) {
        posts.findById(id).orElseThrow().title = title
    }

    @Transactional(readOnly = true)
    fun <T> read(work: () -> T): T = work()
}
