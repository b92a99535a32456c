-- Where read models are built beside the live ones, and where those that were replaced lie until they are dropped.
create schema read_shadow;
create schema read_old;
grant usage, create on schema read_shadow, read_old to coworkflow_projector;

-- What is built is read by the gateway once it has moved to schema read; here it may not even look.
alter default privileges for role coworkflow_projector in schema read_shadow grant select on tables to coworkflow_gateway;

-- How far a read model has been built; commits with the rows. `hash` is that of the event at `position`: a log that was
-- restored may have another event there.
create table read_shadow.builds (
    name       text    primary key,
    definition text    not null,
    position   bigint  not null default 0 check (position >= 0),
    changed    bigint  not null default 0,
    hash       bytea,
    indexed    boolean not null default false
);
grant select, insert, update, delete on read_shadow.builds to coworkflow_projector;

-- Schemas that hold a read model as it was at a position. `keeper` is the advisory lock of the process that made it and will
-- drop it; nobody else drops one that has none.
create table read_shadow.sides (
    schema   text   primary key,
    name     text   not null,
    position bigint not null,
    keeper   bigint
);
grant select, insert, update, delete on read_shadow.sides to coworkflow_projector;

-- Only schemas of this kind: the right to create any is not the projector's.
create function read_shadow.create_side(schema text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    if schema !~ '^read_at_[a-z0-9_]{1,54}$' then
        raise exception 'not the name of a side schema' using errcode = 'invalid_schema_name';
    end if;
    execute format('create schema %I authorization coworkflow_projector', schema);
end
$$;
revoke execute on function read_shadow.create_side(text) from public;
grant execute on function read_shadow.create_side(text) to coworkflow_projector;

-- Drops whatever of a read model lies beside the live one, for good: the tables that a replay replaced, a build that was given
-- up, what was kept as of a position. Called when somebody is erased, of whom all of them may hold what was personal. A replay
-- that runs holds the lock, and comes to the erasure in its turn.
create function read_shadow.forget(model text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    place record;
begin
    for place in select schemaname, tablename from pg_tables where schemaname = 'read_old' and starts_with(tablename, model || '_') loop
        execute format('drop table %I.%I', place.schemaname, place.tablename);
    end loop;
    for place in select schema from read_shadow.sides where name = model and keeper is null loop
        execute format('drop schema if exists %I cascade', place.schema);
        delete from read_shadow.sides where schema = place.schema;
    end loop;
    if pg_try_advisory_xact_lock(hashtextextended(model, 7310584019241)) then
        for place in select schemaname, tablename from pg_tables where schemaname = 'read_shadow' and starts_with(tablename, model || '_') loop
            execute format('drop table %I.%I', place.schemaname, place.tablename);
        end loop;
        delete from read_shadow.builds where name = model;
    end if;
end
$$;
revoke execute on function read_shadow.forget(text) from public;
grant execute on function read_shadow.forget(text) to coworkflow_projector;
