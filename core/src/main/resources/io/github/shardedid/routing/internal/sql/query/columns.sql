select n.nspname, c.relname, c.relkind in ('r', 'p'), a.attname,
       case when t.typarray = 0 and t.typelem <> 0 then pg_catalog.format('t.%I', a.attname)
            when e.typname is null then pg_catalog.format('t.%I is null', a.attname)
            else pg_catalog.format('array[t.%I]', a.attname) end,
       case when t.typarray = 0 and t.typelem <> 0 then pg_catalog.format('null::%I.%I', s.name, t.typname)
            when e.typname is null then 'true'
            else pg_catalog.format('null::%I.%I', s.name, e.typname) end,
       a.attnotnull
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_catalog.pg_type t on t.oid = a.atttypid
  join lateral (select case when t.typnamespace = n.oid then cast(? as text) else o.nspname::text end from pg_catalog.pg_namespace o
                 where o.oid = t.typnamespace) s(name) on true
  left join pg_catalog.pg_type e on e.oid = t.typarray
 where n.nspname = any (?) and c.relname = any (?) and c.relkind in ('r', 'p', 'v', 'm', 'f')
 order by a.attnum
