package io.github.shardedid.tools;

import io.github.shardedid.routing.ShardContext;
import org.springframework.stereotype.Component;

/** What jobs call, in threads without a scope. */
@Component
public class Kitchen {
    private final RecipeRepository recipes;

    Kitchen(RecipeRepository recipes) {
        this.recipes = recipes;
    }

    /** Stores a recipe. */
    public void cook(int shard, String title) {
        ShardContext.run(shard, () -> recipes.saveAndFlush(new Recipe(title)));
    }

    /** Changes a recipe. */
    public void rename(long id, String title) {
        Recipe recipe = recipes.findById(id).orElseThrow();
        recipe.title = title;
        recipes.save(recipe);
    }
}
