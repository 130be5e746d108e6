package io.github.shardedid.boot.data;

import io.github.shardedid.hibernate.DuplicateValueException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.support.SQLExceptionTranslator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

/**
 * Lets Spring translate a {@link DuplicateValueException} to a {@code DuplicateKeyException}. Without it, the exception would be translated as a
 * violation of any constraint. A translator of the application, which Boot gives to the dialect, translates the rest.
 */
record DuplicateValueTranslation(ObjectProvider<SQLExceptionTranslator> ofApplication) implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof HibernateJpaVendorAdapter adapter) {
            SQLExceptionTranslator other = ofApplication.getIfUnique();
            adapter.getJpaDialect().setJdbcExceptionTranslator((task, sql, failure) -> {
                DuplicateValueException duplicate = DuplicateValueException.of(failure);
                return duplicate == null
                        ? other == null ? null : other.translate(task, sql, failure)
                        : new DuplicateKeyException(String.valueOf(duplicate.getMessage()), duplicate);
            });
        }
        return bean;
    }
}
