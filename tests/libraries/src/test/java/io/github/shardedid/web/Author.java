package io.github.shardedid.web;

import io.github.shardedid.hibernate.ShardedId;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

@Entity
public class Author {
    @Id
    @ShardedId
    @Nullable
    private Long id;

    @Version
    private int version;

    private String name = "";

    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable
    private Country country;

    @OneToMany(mappedBy = "author")
    private List<Article> articles = new ArrayList<>();

    protected Author() {}

    Author(String name) {
        this.name = name;
    }

    public @Nullable Long getId() {
        return id;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public @Nullable Country getCountry() {
        return country;
    }

    public void setCountry(@Nullable Country country) {
        this.country = country;
    }

    public List<Article> getArticles() {
        return articles;
    }
}
