package io.github.shardedid.tools;

import com.blazebit.persistence.view.EntityView;
import com.blazebit.persistence.view.FetchStrategy;
import com.blazebit.persistence.view.IdMapping;
import com.blazebit.persistence.view.Mapping;
import java.util.Set;

/** A recipe with what is in it. */
@EntityView(Recipe.class)
public interface RecipeView {
    @IdMapping
    Long getId();

    String getTitle();

    /** By a join. */
    @Mapping("ingredients")
    Set<Part> getJoined();

    /** By a query of its own. */
    @Mapping(value = "ingredients", fetch = FetchStrategy.SELECT)
    Set<Part> getSelected();

    /** An ingredient. */
    @EntityView(Ingredient.class)
    interface Part {
        @IdMapping
        Long getId();

        String getName();
    }
}
