package io.github.shardedid.boot.test;

import org.springframework.data.jpa.repository.JpaRepository;

interface Vouchers extends JpaRepository<Voucher, String> {}
