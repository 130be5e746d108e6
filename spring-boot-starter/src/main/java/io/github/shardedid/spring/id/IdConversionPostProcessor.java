package io.github.shardedid.spring.id;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.convert.ConversionService;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/** Makes Spring MVC refuse malformed ids in parameters of controllers. Otherwise it would accept any number. */
public final class IdConversionPostProcessor implements BeanPostProcessor, AopInfrastructureBean {
    /** Creates the post-processor. */
    public IdConversionPostProcessor() {}

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof RequestMappingHandlerAdapter adapter
                && adapter.getWebBindingInitializer() instanceof ConfigurableWebBindingInitializer initializer) {
            ConversionService conversion = initializer.getConversionService();
            if (conversion != null) {
                initializer.setConversionService(new IdConversion(conversion));
            }
        }
        return bean;
    }
}
