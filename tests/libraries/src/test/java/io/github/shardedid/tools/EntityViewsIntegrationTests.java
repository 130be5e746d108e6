package io.github.shardedid.tools;

import static io.github.shardedid.tools.RunningTools.DATABASES;
import static io.github.shardedid.tools.RunningTools.bean;
import static io.github.shardedid.tools.RunningTools.inTransaction;
import static io.github.shardedid.tools.RunningTools.recipe;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.blazebit.persistence.CriteriaBuilder;
import com.blazebit.persistence.CriteriaBuilderFactory;
import com.blazebit.persistence.view.EntityViewManager;
import com.blazebit.persistence.view.EntityViewSetting;
import io.github.shardedid.routing.NoShardException;
import io.github.shardedid.routing.ShardContext;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;

/** Entity views of Blaze-Persistence. */
@Tag("slow")
class EntityViewsIntegrationTests {
    private static EntityManager entities() {
        return bean(EntityManager.class);
    }

    private static CriteriaBuilder<Recipe> query() {
        return bean(CriteriaBuilderFactory.class).create(entities(), Recipe.class);
    }

    private static List<RecipeView> views(CriteriaBuilder<Recipe> query) {
        return bean(EntityViewManager.class)
                .applySetting(EntityViewSetting.create(RecipeView.class), query)
                .getResultList();
    }

    private static Recipe soup(int shard, String title) {
        Recipe recipe = recipe(shard, title);
        bean(IngredientRepository.class)
                .saveAll(List.of(new Ingredient(recipe, "salt"), new Ingredient(recipe, "water")));
        return recipe;
    }

    private static void isSoup(RecipeView view, Recipe recipe) {
        assertThat(view.getId()).isEqualTo(recipe.id());
        assertThat(view.getTitle()).isEqualTo(recipe.title);
        assertThat(view.getJoined()).extracting(RecipeView.Part::getName).containsExactlyInAnyOrder("salt", "water");
        assertThat(view.getSelected()).extracting(RecipeView.Part::getName).containsExactlyInAnyOrder("salt", "water");
    }

    @Test
    void aViewIsFoundByItsId() {
        Recipe recipe = soup(6, "viewed");

        isSoup(bean(EntityViewManager.class).find(entities(), RecipeView.class, recipe.id()), recipe);
    }

    @Test
    void viewsAreSelectedById() {
        Recipe near = soup(1, "near view");
        Recipe far = soup(6, "far view");

        assertThat(views(query().where("id").eq(far.id()))).singleElement().satisfies(view -> isSoup(view, far));
        inTransaction(() -> assertThat(
                        views(query().where("id").in(near.id(), far.id()).orderByAsc("title")))
                .satisfiesExactly(view -> isSoup(view, far), view -> isSoup(view, near)));
    }

    @Test
    void viewsAreSelectedInAScope() {
        Recipe recipe = soup(6, "scoped view");

        assertThat(ShardContext.call(6, () -> views(query().where("title").eq("scoped view"))))
                .singleElement()
                .satisfies(view -> isSoup(view, recipe));
        assertThatThrownBy(() -> views(query().where("title").eq("scoped view")))
                .isInstanceOf(NoShardException.class);
    }

    private static void rename(Class<? extends RecipeTitle> view, Recipe recipe, String title) {
        inTransaction(() -> {
            EntityManager own = requireNonNull(
                    EntityManagerFactoryUtils.getTransactionalEntityManager(bean(EntityManagerFactory.class)));
            RecipeTitle found = bean(EntityViewManager.class).find(own, view, recipe.id());
            found.setTitle(title);
            bean(EntityViewManager.class).save(own, found);
        });
    }

    private static List<String> titles(Recipe recipe) {
        return DATABASES.query(6, "SELECT title FROM $.recipe WHERE id = " + recipe.id());
    }

    @Test
    void aChangeByTheEntityIsStoredInItsShard() {
        Recipe recipe = soup(6, "before");

        rename(RecipeTitle.Loaded.class, recipe, "after");

        assertThat(titles(recipe)).containsExactly("after");
    }

    @Test
    void aChangeByAQueryIsStoredInItsShard() {
        Recipe recipe = soup(6, "earlier");

        rename(RecipeTitle.class, recipe, "later");

        assertThat(titles(recipe)).containsExactly("later");
    }
}
