package io.github.shardedid.kotlin

import io.github.shardedid.hibernate.ShardedIdMappingException
import io.github.shardedid.drafts.Draft
import io.github.shardedid.routing.NoShardException
import io.github.shardedid.routing.ShardContext
import io.github.shardedid.test.PostgresServers
import io.github.shardedid.test.TestDatabase
import jakarta.persistence.EntityManagerFactory
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlin.coroutines.suspendCoroutine
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.hibernate.Hibernate
import org.hibernate.boot.MetadataSources
import org.hibernate.boot.registry.StandardServiceRegistryBuilder
import org.junit.jupiter.api.AfterAll
import org.junit.jupiter.api.BeforeAll
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.TestInstance
import org.springframework.beans.factory.getBean
import org.springframework.boot.builder.SpringApplicationBuilder
import org.springframework.context.ConfigurableApplicationContext
import org.springframework.core.PropagationContextElement
import org.springframework.data.repository.findByIdOrNull

/** Shards 0 to 3 are on pg1, beside the global database, and 4 to 7 on pg2. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KotlinIntegrationTests {
    private val pg1: TestDatabase = PostgresServers.shared(1).newDatabase()
    private val pg2: TestDatabase = PostgresServers.shared(2).newDatabase()
    private lateinit var context: ConfigurableApplicationContext
    private val authors by lazy { context.getBean<AuthorRepository>() }
    private val posts by lazy { context.getBean<PostRepository>() }
    private val notes by lazy { context.getBean<NoteRepository>() }
    private val desk by lazy { context.getBean<Desk>() }

    @BeforeAll
    fun start() {
        val databases = mapOf("pg1" to (pg1 to "0-3"), "pg2" to (pg2 to "4-7")).flatMap { (name, database) ->
            val prefix = "sharded-id.databases.$name."
            listOf(
                "${prefix}url=${database.first.url()}",
                "${prefix}username=${database.first.server().username()}",
                "${prefix}password=${database.first.server().password()}",
                "${prefix}shards=${database.second}",
            )
        }
        context = SpringApplicationBuilder(KotlinApp::class.java)
            .properties(
                "spring.main.web-application-type=none",
                "spring.main.banner-mode=off",
                "sharded-id.epoch=2024-01-01T00:00:00Z",
                "sharded-id.shards=8",
                "sharded-id.migrations=classpath:db/kotlin",
                "sharded-id.global.database=pg1",
                "sharded-id.global.migrations=classpath:db/kotlin-global",
                *databases.toTypedArray(),
            )
            .run()
    }

    @AfterAll
    fun stop() {
        if (::context.isInitialized) {
            context.close()
        }
        pg1.drop()
        pg2.drop()
    }

    private fun author(shard: Int, name: String): Author = ShardContext.call(shard) { authors.save(Author(name)) }

    private fun shardOf(table: String, id: Long): Int = (0..7).single { shard ->
        (if (shard < 4) pg1 else pg2)
            .query("SELECT count(*) FROM shard_000$shard.$table WHERE id = $id") == listOf("1")
    }

    @Test
    fun `a row is stored in the shard of its parent, whose id is nullable`() {
        val author = author(6, "Ada")
        val post = posts.save(Post(author, "first"))

        assertThat(shardOf("author", author.id!!)).isEqualTo(6)
        assertThat(shardOf("post", post.id!!)).isEqualTo(6)
        assertThat(posts.findByIdOrNull(post.id!!)?.title).isEqualTo("first")
        assertThat(posts.findByAuthor(author)).extracting<Long> { it.id!! }.containsExactly(post.id)
        assertThat(posts.titlesLike("fir%", author.id!!)).containsExactly("first")
    }

    @Test
    fun `an id that is a val is generated`() {
        val ada = author(6, "Ada")
        val saved = posts.saveAll(listOf(Post(ada, "one"), Post(author(1, "Bob"), "two")))

        assertThat(saved.map { shardOf("post", it.id!!) }).containsExactly(6, 1)
    }

    @Test
    fun `a data class with a primitive id is stored where the key says`() {
        val author = author(5, "Ada")
        val note = notes.save(Note(author.id!!, "short"))
        assertThat(note.id).isPositive()
        assertThat(shardOf("note", note.id)).isEqualTo(5)

        notes.save(note.copy(text = "longer"))

        assertThat(notes.findByAuthorId(author.id!!)).containsExactly(Note(author.id!!, "longer", note.id))
    }

    @Test
    fun `nullable results are null where there is no row`() {
        val author = author(2, "Ada")

        assertThat(authors.findByIdAndName(author.id!!, "Ada")?.id).isEqualTo(author.id)
        assertThat(authors.findByIdAndName(author.id!!, "Bob")).isNull()
        assertThat(posts.findByIdOrNull(author.id!!)).isNull()
    }

    @Test
    fun `lazy associations, collections and global entities load without a scope`() {
        val author = author(7, "Lazy")
        val italy = context.getBean<CountryRepository>().findByCode("it")!!
        val id = posts.save(Post(author, "lazy", italy)).id!!

        desk.read {
            val post = posts.findById(id).orElseThrow()
            assertThat(Hibernate.isInitialized(post.author)).isFalse()
            assertThat(post.author.name).isEqualTo("Lazy")
            assertThat(post.author.posts).hasSize(1)
            assertThat(post.country?.name).isEqualTo("Italy")
        }
        desk.rename(id, "renamed")
        assertThat(pg2.query("SELECT title FROM shard_0007.post WHERE id = $id")).containsExactly("renamed")
    }

    @Test
    fun `a final class is loaded without a proxy`() {
        val badges = context.getBean<BadgeRepository>()
        val badge = badges.save(Badge(posts.save(Post(author(6, "Ada"), "with badge")), "red"))

        assertThat(shardOf("badge", badge.id!!)).isEqualTo(6)
        desk.read {
            val reference = badges.getReferenceById(badge.id)
            assertThat(reference.color).isEqualTo("red")
            assertThat(reference.post.title).isEqualTo("with badge")
        }
    }

    @Test
    fun `a query asks all shards`() {
        val ids = listOf(author(0, "everywhere"), author(7, "everywhere")).map { it.id!! }

        assertThat(authors.findByNameOrderById("everywhere").map { it.id!! }).isEqualTo(ids.sorted())
        assertThat(authors.findAllById(ids).map { it.id!! }).containsExactlyInAnyOrderElementsOf(ids)
        assertThatThrownBy { authors.count() }.isInstanceOf(NoShardException::class.java)
    }

    @Test
    fun `a shard key on the parameter of a constructor alone is refused`() {
        val settings = context.getBean<EntityManagerFactory>().properties.filterKeys { !it.startsWith("hibernate.persister") }
        val registry = StandardServiceRegistryBuilder().applySettings(settings).build()
        assertThatThrownBy {
            MetadataSources(registry).addAnnotatedClass(Draft::class.java).buildMetadata().buildSessionFactory()
        }
            .isInstanceOf(ShardedIdMappingException::class.java)
            .hasMessageContaining("@field:ShardKey")
    }

    // Coroutines

    private fun count(): Long = authors.count()

    @Test
    fun `a coroutine in another thread has no scope`() {
        author(6, "Ada")
        assertThatThrownBy {
            ShardContext.call(6) { runBlocking { withContext(Dispatchers.IO) { count() } } }
        }.isInstanceOf(NoShardException::class.java)
    }

    @Test
    fun `scopes are propagated to coroutines by Spring's context element`() {
        author(3, "Ada")
        author(6, "Ada")
        val expected = listOf(3, 6).map { ShardContext.call(it) { count() } }

        val counted = runBlocking(Dispatchers.Default) {
            listOf(3, 6).map { shard ->
                ShardContext.call(shard) { PropagationContextElement() }.let { scope ->
                    async(scope) {
                        yield()
                        val first = count()
                        withContext(Dispatchers.IO) {
                            yield()
                            listOf(first, count()).distinct().single()
                        }
                    }
                }
            }.awaitAll()
        }

        assertThat(counted).isEqualTo(expected)
    }

    @Test
    fun `a thread keeps no scope of a coroutine`() {
        val scope = ShardContext.call(6) { PropagationContextElement() }
        runBlocking {
            withContext(scope) { assertThat(ShardContext.current()).hasValue(6) }
            assertThat(ShardContext.target()).isNull()
        }
        assertThat(ShardContext.target()).isNull()
    }

    private suspend fun failure(block: suspend () -> Unit): Throwable? = try {
        block()
        null
    } catch (e: IllegalStateException) {
        e
    }

    /** `use` is inline, so that its block may be suspended, unlike that of `ShardContext.call`. */
    @Test
    fun `a scope that is closed in another thread than its own is refused`() {
        lateinit var suspended: Continuation<Unit>
        var refused: Throwable? = null
        thread {
            CoroutineScope(Dispatchers.Unconfined).launch {
                refused = failure { ShardContext.open(6).use { suspendCoroutine<Unit> { suspended = it } } }
            }
            thread { suspended.resume(Unit) }.join()
        }.join()
        assertThat(refused).hasMessageContaining("It is still open there")
    }
}
