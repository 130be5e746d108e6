package io.github.shardedid.example.sample;

import java.util.List;

/** The texts of the samples. No user is called ada, because the shell commands create that user. */
final class SampleStory {
    static final List<String> PEOPLE = List.of(
            "Grace",
            "Edsger",
            "Barbara",
            "Alan",
            "Radia",
            "Donald",
            "Frances",
            "Leslie",
            "Margaret",
            "Tony",
            "Hedy",
            "Ken");

    static final List<String> CAPTIONS = List.of(
            "First light over the ridge",
            "We walked until the valley was blue",
            "Nobody else up here",
            "The long way home",
            "Somewhere between two passes",
            "Evening, from the hut",
            "Fog below, sun above",
            "Worth the climb",
            "The last bus had gone",
            "Colours nobody will believe",
            "Five in the morning",
            "Wind, mostly");

    static final List<String> COMMENTS = List.of(
            "What a light!",
            "Where is this?",
            "Take me with you next time.",
            "The third hill looks like a sleeping cat.",
            "I can feel the cold.",
            "This goes on my wall.",
            "Same place, ten years ago. It has not changed.");

    private SampleStory() {}
}
