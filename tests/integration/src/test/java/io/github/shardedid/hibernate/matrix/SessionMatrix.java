package io.github.shardedid.hibernate.matrix;

import io.github.shardedid.id.IdLayout;
import io.github.shardedid.test.matrix.Matrix;
import io.github.shardedid.test.matrix.ServerWatch;
import org.hibernate.Session;
import org.hibernate.Transaction;
import org.jspecify.annotations.Nullable;

/** What is done with a session of Hibernate, which is an EntityManager. */
abstract class SessionMatrix extends Matrix<Session> {
    static MatrixCluster cluster() {
        return MatrixCluster.shared();
    }

    @Override
    protected ServerWatch watch() {
        return cluster().watch;
    }

    @Override
    protected IdLayout layout() {
        return IdLayout.DEFAULT;
    }

    @Override
    protected String rows() {
        return MatrixCluster.ROWS;
    }

    @Override
    protected @Nullable Object perform(boolean transaction, Steps<Session> steps) throws Exception {
        try (Session session = cluster().sessions.openSession()) {
            if (!transaction) {
                return steps.with(session);
            }
            Transaction begun = session.beginTransaction();
            try {
                Object result = steps.with(session);
                begun.commit();
                return result;
            } finally {
                if (begun.isActive()) {
                    begun.rollback();
                }
            }
        }
    }

    @Override
    protected void flush(Session session) {
        session.flush();
    }

    @Override
    protected void read(Session session, long id) {
        session.find(Memo.class, id);
    }

    @Override
    protected void write(Session session, long id) {
        session.find(Memo.class, id).description = "written before";
        session.flush();
    }
}
