-- What lies beside a live read model and may show somebody who was erased: the model's tables in a schema. It is marked in the transaction
-- that moves the model's checkpoint, which must wait for nobody, and dropped afterwards, when nobody reads it: a backup does for hours.
-- `builds.forgotten` and `sides.forgotten` say nothing any more.
create table read_shadow.forgotten (
    schema text not null,
    name   text not null,
    primary key (schema, name)
);
grant select, insert, delete on read_shadow.forgotten to coworkflow_projector;

-- Nobody dropped a side that was marked while it was built, if its maker was killed.
insert into read_shadow.forgotten (schema, name)
select schema, name from read_shadow.sides where forgotten
union all
select 'read_shadow', name from read_shadow.builds where forgotten;
update read_shadow.builds set forgotten = false where forgotten;

-- Marks whatever of a read model lies beside the live one: the tables that a replay replaced, what is being built or was given up, what is
-- as of a position.
create or replace function read_shadow.forget(model text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into read_shadow.forgotten (schema, name)
    select place, model from unnest(array['read_old', 'read_shadow']) place
    union all
    select schema, model from read_shadow.sides where name = model
    on conflict do nothing;
end
$$;

-- Whether the process lives that made a side and will drop it.
create function read_shadow.is_held(keeper bigint) returns boolean
language sql set search_path = pg_catalog, pg_temp as $$
    select exists (
        select from pg_locks l
         where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())
           and l.classid::bigint = keeper >> 32 and l.objid::bigint = keeper & 4294967295 and l.objsubid = 1
    )
$$;
revoke execute on function read_shadow.is_held(bigint) from public;
grant execute on function read_shadow.is_held(bigint) to coworkflow_projector;

-- Drops what is marked of a read model and in nobody's hands. What somebody reads stays for the next time, and false is returned: behind a
-- lock that waits others would wait, and a parallel pg_dump gives up.
create function read_shadow.drop_forgotten(model text) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp set lock_timeout = '200ms' as $$
declare
    place record;
    tables text;
    done boolean := true;
begin
    for place in
        select f.schema, f.schema not in ('read_old', 'read_shadow') as is_side, s.keeper
          from read_shadow.forgotten f left join read_shadow.sides s on s.schema = f.schema
         where f.name = model and (s.keeper is null or not read_shadow.is_held(s.keeper))
    loop
        -- A replay that runs comes to the erasure in its turn; one that is broken off first leaves its lock to us.
        continue when place.schema = 'read_shadow' and not pg_try_advisory_xact_lock(hashtextextended(model, 7310584019241));
        begin
            -- First: whoever puts other tables there takes the mark away with the old ones.
            delete from read_shadow.forgotten where schema = place.schema and name = model;
            continue when not found;
            if place.is_side then
                -- One of that name that was made meanwhile has another keeper.
                delete from read_shadow.sides where schema = place.schema and keeper is not distinct from place.keeper;
                continue when not found;
            end if;
            select string_agg(format('%I.%I', schemaname, tablename), ', ') into tables
              from pg_tables where schemaname = place.schema and starts_with(tablename, model || '_');
            if tables is not null then
                execute 'lock table ' || tables || ' in access exclusive mode nowait';
                execute 'drop table ' || tables;
            end if;
            if place.is_side then
                execute format('drop schema if exists %I cascade', place.schema);
            elsif place.schema = 'read_shadow' then
                delete from read_shadow.builds where name = model;
            end if;
        exception when lock_not_available then
            done := false;
        end;
    end loop;
    return done;
end
$$;
revoke execute on function read_shadow.drop_forgotten(text) from public;
grant execute on function read_shadow.drop_forgotten(text) to coworkflow_projector;
