package io.github.shardedid.extensions;

import io.github.shardedid.hibernate.ShardedId;
import io.hypersistence.utils.hibernate.type.json.JsonType;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hibernate.annotations.Filter;
import org.hibernate.annotations.FilterDef;
import org.hibernate.annotations.ParamDef;
import org.hibernate.annotations.Type;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.FullTextField;
import org.hibernate.search.mapper.pojo.mapping.definition.annotation.Indexed;
import org.jspecify.annotations.Nullable;

/** Indexed by its title and filtered by its language, with a JSON column of Hypersistence Utils. */
@Entity
@Indexed
@FilterDef(
        name = "language",
        parameters = @ParamDef(name = "language", type = String.class),
        defaultCondition = "language = :language")
@Filter(name = "language")
public class Book {
    @Id
    @ShardedId
    private @Nullable Long id;

    @Version
    private int version;

    @FullTextField
    public String title = "";

    public String language = "en";

    @Type(JsonType.class)
    @Column(columnDefinition = "jsonb")
    public Map<String, String> details = new HashMap<>();

    @OneToMany(mappedBy = "book")
    @Filter(name = "language")
    List<Review> reviews = new ArrayList<>();

    protected Book() {}

    Book(String title, String language) {
        this.title = title;
        this.language = language;
    }

    long id() {
        return Objects.requireNonNull(id);
    }
}
