package io.github.shardedid.ecosystem;

import org.apache.ibatis.annotations.Mapper;
import org.apache.ibatis.annotations.Select;
import org.jspecify.annotations.Nullable;

/** MyBatis. */
@Mapper
interface GadgetMapper {
    @Select("SELECT name FROM gadget WHERE id = #{id}")
    @Nullable
    String name(long id);
}
