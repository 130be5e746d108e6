package io.github.shardedid.changelog;

import org.springframework.data.jpa.repository.JpaRepository;

interface SongRepository extends JpaRepository<Song, Long> {}
