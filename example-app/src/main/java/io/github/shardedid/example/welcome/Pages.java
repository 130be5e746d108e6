package io.github.shardedid.example.welcome;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Maps the addresses of photos, users and operations to HTML pages, whose scripts read the id from the address. */
@Configuration(proxyBeanMethods = false)
class Pages implements WebMvcConfigurer {
    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/p/{photo}").setViewName("forward:/photo.html");
        registry.addViewController("/u/{user}").setViewName("forward:/profile.html");
        registry.addViewController("/operations").setViewName("forward:/operations.html");
    }
}
