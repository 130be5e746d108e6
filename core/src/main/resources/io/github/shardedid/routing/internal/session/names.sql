with recursive schemas as (
    select n.oid, pg_catalog.quote_ident(n.nspname) <> all (pg_catalog.string_to_array(%s, ', ')) as shards
      from pg_catalog.pg_namespace n
     where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'sharded_id')),
names_of_objects (type) as (
    (select t.oid from pg_catalog.pg_type t
     where t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace and t.typname ~ '^_?reg'
       and (t.typname not in ('regconfig', 'regdictionary') or exists (
           select from pg_catalog.pg_ts_config c where c.cfgnamespace <> 'pg_catalog'::pg_catalog.regnamespace)
         or exists (
           select from pg_catalog.pg_ts_dict d where d.dictnamespace <> 'pg_catalog'::pg_catalog.regnamespace)))
    union
    select t.oid from names_of_objects n
      join pg_catalog.pg_type t on t.typbasetype = n.type or (t.typelem = n.type and t.typlen = -1)),
functions as (
    select p.oid, p.proname, s.shards, p.pronargs > 0 and p.pronargs - p.pronargdefaults <= 1 as field,
           p.provolatile = 'v' and p.prorettype <> 'pg_catalog.trigger'::pg_catalog.regtype as acting,
           l.lanname in ('c', 'internal') as in_c, l.lanname in ('c', 'internal') and p.provolatile = 'i' as certain,
           p.prosqlbody is null
             and not exists (select from pg_catalog.unnest(p.proconfig) c where c ~ '^search_path=')
             and (l.lanname not in ('c', 'internal') or p.prorettype = 'pg_catalog.trigger'::pg_catalog.regtype
                  or exists (select from pg_catalog.unnest(p.proargtypes) a
                              where a = 'pg_catalog.text'::pg_catalog.regtype or a in (select type from names_of_objects)))
               as unbound,
           exists (
             select from pg_catalog.pg_depend d
              where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e')
               as of_extension
      from schemas s
      join pg_catalog.pg_proc p on p.pronamespace = s.oid
      join pg_catalog.pg_language l on l.oid = p.prolang
     where not (l.lanname = 'sql' and p.prosrc ~ 'sharded_id\.' and p.proname in (
         'next_id', 'next_ids', 'next_ids_after', 'lease_node', 'release_node'))),
catalogs (trigger, default_, constraint_, class, rule, policy, function, operator, cast_, type) as (
    values (2620::oid, 2604::oid, 2606::oid, 1259::oid, 2618::oid, 3256::oid, 1255::oid, 2617::oid, 2605::oid, 1247::oid)),
looking (oid) as (
    select p.oid from pg_catalog.pg_proc p
     where p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
       and p.proname ~ ('^(to_reg|regclass$|current_schemas?$|pg_get_|pg_input_|pg_describe_|format_type$|ts_stat$|' ||
                        'ts_rewrite$|row_security_active$|.*_is_visible$|.*_to_xml|has_.*_privilege$)')),
lookups (pattern) as (
    select '(:funcid (' || pg_catalog.string_agg(p.oid::text, '|') || ')|SQLVALUEFUNCTION :op 14|(var|result)type ('
           || (select pg_catalog.string_agg(type::text, '|') from names_of_objects)
           || ')|115 101 97 114 99 104 95 112 97 116 104) '
      from looking p),
trees (catalog, object, part, tree) as materialized (
    select e.catalog, e.object, e.object::bigint / 4096, e.tree
      from catalogs k, lateral (
        select k.default_, a.oid, a.adbin::text from pg_catalog.pg_attrdef a
        union all
        select k.constraint_, o.oid, o.conbin::text from pg_catalog.pg_constraint o
         where o.contype = 'c' and o.conname !~ '^sharded_id_check'
        union all
        select k.trigger, t.oid, t.tgqual::text from pg_catalog.pg_trigger t where t.tgqual is not null
        union all
        select k.policy, p.oid, pg_catalog.concat(p.polqual::text, p.polwithcheck::text) from pg_catalog.pg_policy p
        union all
        select k.rule, r.oid, r.ev_qual::text || r.ev_action::text from pg_catalog.pg_rewrite r
         where r.oid >= 16384::oid
        union all
        select k.type, t.oid, t.typdefaultbin::text from pg_catalog.pg_type t where t.typdefaultbin is not null
        union all
        select k.function, p.oid, p.prosqlbody::text from pg_catalog.pg_proc p
         where p.prosqlbody is not null and p.oid >= 16384::oid) e (catalog, object, tree)),
code (catalog, object, read, unbound, acting) as (
    select k.function, f.oid, true, f.unbound, f.unbound or f.acting
      from catalogs k, functions f
     where not f.certain and (f.unbound or f.acting or not f.in_c)
    union all
    select t.catalog, t.object, t.catalog not in (k.default_, k.trigger), true, true
      from catalogs k, lookups l, trees t
     where case when (t.catalog, t.part) in (
             select a.catalog, a.part from trees a, lookups
              group by 1, 2 having pg_catalog.string_agg(a.tree, ' ') ~ min(pattern)) then t.tree ~ l.pattern end
    union all
    select k.class, a.attrelid, true, true, false
      from catalogs k, pg_catalog.pg_attribute a
     where a.attrelid >= 16384::oid and a.atttypid in (select type from names_of_objects)
    union
    select e.catalog, e.object, c.read and e.read, c.unbound, c.acting
      from code c, catalogs k, lateral (
        select d.classid, d.objid, d.classid not in (k.trigger, k.default_)
                 and (d.classid <> k.class or c.catalog = k.type)
          from pg_catalog.pg_depend d
         where d.refclassid = c.catalog and d.refobjid = c.object and d.deptype in ('n', 'a')
           and d.classid in (k.trigger, k.default_, k.constraint_, k.class, k.rule, k.policy, k.function, k.operator,
                             k.cast_, k.type)
           and (c.catalog <> k.class or d.classid in (k.rule, k.policy, k.function))
        union all
        select k.type, t.typarray, true
          from pg_catalog.pg_type t where c.catalog = k.type and t.oid = c.object
        union all
        select k.type, r.reltype, true
          from pg_catalog.pg_class r where c.catalog = k.class and r.oid = c.object and r.relkind = 'c'
        union all
        select k.class, t.tgrelid, true
          from pg_catalog.pg_trigger t where c.catalog = k.trigger and t.oid = c.object
        union all
        select k.class, a.adrelid, t.attgenerated = 'v'
          from pg_catalog.pg_attrdef a
          join pg_catalog.pg_attribute t on t.attrelid = a.adrelid and t.attnum = a.adnum
         where c.catalog = k.default_ and a.oid = c.object
        union all
        select k.class, r.ev_class, true
          from pg_catalog.pg_rewrite r where c.catalog = k.rule and r.oid = c.object
        union all
        select k.class, p.polrelid, true
          from pg_catalog.pg_policy p where c.catalog = k.policy and p.oid = c.object
        union all
        select case o.conrelid when 0 then k.type else k.class end,
               case o.conrelid when 0 then o.contypid else o.conrelid end, o.conrelid = 0
          from pg_catalog.pg_constraint o where c.catalog = k.constraint_ and o.oid = c.object
        union all
        select k.class, i.indrelid, true
          from pg_catalog.pg_index i where c.catalog = k.class and i.indexrelid = c.object
        union all
        select k.class, h.inhparent, true
          from pg_catalog.pg_inherits h where c.catalog = k.class and h.inhrelid = c.object
        union all
        select k.class, o.confrelid, false
          from pg_catalog.pg_constraint o
         where c.catalog = k.class and o.conrelid = c.object and o.contype = 'f'
           and (o.confdeltype in ('c', 'n', 'd') or o.confupdtype in ('c', 'n', 'd'))
        union all
        select k.type, a.amproclefttype, true
          from pg_catalog.pg_amproc a where c.catalog = k.function and a.amproc = c.object
        union all
        select k.type, t.oid, true
          from pg_catalog.pg_cast x
          join pg_catalog.pg_type t on t.oid in (x.castsource, x.casttarget)
          join schemas s on s.oid = t.typnamespace
         where c.catalog = k.cast_ and x.oid = c.object) e (catalog, object, read)),
relations as (
    select c.relname, bool_or(code.read and code.acting) as acting, bool_or(code.unbound) as unbound,
           bool_or(code.read and code.unbound) as read
      from code, catalogs k, pg_catalog.pg_class c
     where code.catalog = k.class and c.oid = code.object
     group by 1),
postgres as (
    select p.proname,
           bool_and(p.provolatile = 'i') as plain, bool_or(p.oid in (select oid from looking) or exists (
             select from pg_catalog.unnest(p.proargtypes) a where a in (select type from names_of_objects))) as looks_up,
           bool_or(p.pronargs > 0 and p.pronargs - p.pronargdefaults <= 1) as field
      from pg_catalog.pg_proc p
     where p.pronamespace = 'pg_catalog'::pg_catalog.regnamespace
     group by 1)
select kind, pg_catalog.array_agg(distinct name::text)
  from (select 'BARE', c.relname from schemas s join pg_catalog.pg_class c on c.relnamespace = s.oid
         where s.shards and c.relkind not in ('i', 'I', 'c')
        union all
        select 'COMMON', c.relname from schemas s join pg_catalog.pg_class c on c.relnamespace = s.oid
         where not s.shards and c.relkind not in ('i', 'I', 'c')
        union all
        select unnest(array['BARE', 'OF_SHARD']), t.typname
          from pg_catalog.pg_type t join schemas s on s.oid = t.typnamespace
         where s.shards and t.typtype <> 'c'
           and not exists (select from pg_catalog.pg_type e where e.oid = t.typelem and e.typtype = 'c')
        union all
        select unnest(array['BARE', 'FIELD']), t.typname from code, catalogs k, pg_catalog.pg_type t
         where code.catalog = k.type and t.oid = code.object and code.unbound
        union all
        select unnest(array['BARE', 'FIELD', 'OF_SHARD']), t.typname
          from pg_catalog.pg_type t where t.oid in (select type from names_of_objects)
        union all
        select unnest(array['BARE', 'OF_SHARD']), c.collname
          from pg_catalog.pg_collation c join schemas s on s.oid = c.collnamespace where s.shards
        union all
        select unnest(array['BARE', 'OF_SHARD']), 'current_schema'
        union all
        select 'BARE', 'collation'
        union all
        select unnest(array['FUNCTION', case when f.field then 'FIELD' end,
                            case when f.unbound and not f.of_extension then 'BY_PATH' end,
                            case when f.shards then 'OF_SHARD' end]), f.proname
          from functions f
         where f.shards or not f.certain
            or exists (select from code, catalogs k where code.catalog = k.function and code.object = f.oid)
        union all
        select 'OPERATOR', o.oprname from pg_catalog.pg_operator o join schemas s on s.oid = o.oprnamespace
         where s.shards or exists (select from code, catalogs k where code.catalog = k.operator and code.object = o.oid)
        union all
        select 'OPERATOR', '='
          from code, catalogs k, pg_catalog.pg_cast x
         where code.catalog = k.cast_ and x.oid = code.object and (code.unbound or code.acting) and not exists (
             select from pg_catalog.pg_type t join schemas s on s.oid = t.typnamespace
              where t.oid in (x.castsource, x.casttarget))
        union all
        select unnest(array['CODED', case when r.unbound then 'WRITTEN' end, case when r.read then 'READ' end,
                            case when r.acting then 'ACTING' end]), r.relname
          from relations r
        union all
        select unnest(array[case when p.looks_up then 'BY_PATH' end,
                            case when p.looks_up then 'OTHER' when p.plain then 'PLAIN' else 'PATHLESS' end,
                            case when p.field and (p.looks_up or not p.plain) then 'OTHER_FIELD' end]), p.proname
          from postgres p
        union all
        select 'PLAIN', w.word from pg_catalog.pg_get_keywords() w
         where w.word not in (select proname from postgres)) found (kind, name)
 where kind is not null
 group by 1
