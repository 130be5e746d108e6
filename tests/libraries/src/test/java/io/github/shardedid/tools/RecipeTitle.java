package io.github.shardedid.tools;

import com.blazebit.persistence.view.EntityView;
import com.blazebit.persistence.view.FlushStrategy;
import com.blazebit.persistence.view.IdMapping;
import com.blazebit.persistence.view.UpdatableEntityView;

/** What can be changed of a recipe. */
@UpdatableEntityView
@EntityView(Recipe.class)
public interface RecipeTitle {
    @IdMapping
    Long getId();

    String getTitle();

    void setTitle(String title);

    /** Changed by loading the entity, instead of by a query. */
    @UpdatableEntityView(strategy = FlushStrategy.ENTITY)
    @EntityView(Recipe.class)
    interface Loaded extends RecipeTitle {}
}
