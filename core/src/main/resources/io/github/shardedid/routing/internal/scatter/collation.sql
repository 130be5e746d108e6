(select concat_ws(' ', pg_encoding_to_char(d.encoding), c.collisdeterministic, pg_collation_actual_version(c.oid),
            case when c.collprovider = 'd' then concat_ws(' ', coalesce(dj->>'datlocprovider', 'c'),
                coalesce(dj->>'datlocale', dj->>'daticulocale', d.datcollate), dj->>'daticurules')
            else concat_ws(' ', c.collprovider,
                coalesce(cj->>'colllocale', cj->>'colliculocale', c.collcollate), cj->>'collicurules') end)
   from pg_database d, to_jsonb(d) dj, pg_collation c, to_jsonb(c) cj
  where d.datname = current_database()
    and c.oid = cast(pg_collation_for(concat(t.%s)) as regcollation))
