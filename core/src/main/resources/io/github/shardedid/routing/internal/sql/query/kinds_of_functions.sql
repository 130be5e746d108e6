with doubtful as (
    select p.oid from pg_catalog.pg_proc p
     where p.pronamespace <> 'pg_catalog'::regnamespace
       and (p.provolatile = 'v' or (p.provolatile = 's' and not %1$s))),
named as (
    select p.proname, p.proretset, p.provolatile = 'v' volatile, p.prokind <> 'f' aggregate,
           case when p.pronamespace = 'pg_catalog'::regnamespace then
               p.proname not in ('random', 'random_normal', 'clock_timestamp', 'timeofday', 'gen_random_uuid', 'uuidv4',
                                 'uuidv7', 'timezone', 'pg_sleep', 'pg_sleep_for', 'pg_sleep_until', 'pg_is_in_recovery')
               and (p.provolatile = 'v' or p.proname ~ '_to_xml')
           else p.oid in (select oid from doubtful) or (p.proname = any (?) and not %1$s) end
           or exists (
               select from pg_catalog.pg_aggregate a
                 join doubtful on doubtful.oid in (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn,
                                      a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
                where a.aggfnoid = p.oid) as harmful
      from pg_catalog.pg_proc p
     where p.proname = any (?))
select proname, case
       when bool_or(aggregate) then case when bool_or(harmful) then 'NONE' else 'AGGREGATE' end
       when bool_or(harmful) then 'UNKNOWN'
       when bool_or(proretset) then 'ROWS'
       when bool_or(volatile) then 'VOLATILE'
       else 'PLAIN' end
  from named
 group by 1
union all
select 'operators and casts', case when exists (
           select from pg_catalog.pg_proc p
            where p.oid in (select oid from doubtful) and not %1$s
              and (p.oid in (select oprcode from pg_catalog.pg_operator)
                   or p.oid in (select castfunc from pg_catalog.pg_cast)))
       then 'UNKNOWN' else 'PLAIN' end
