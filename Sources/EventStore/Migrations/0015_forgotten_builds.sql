-- What is being built while somebody is erased may have read what was personal already: it is marked, and must not stay.
alter table read_shadow.builds add column forgotten boolean not null default false;
alter table read_shadow.sides add column forgotten boolean not null default false;

-- As before, and what has a builder now is marked. A replay that comes to the erasure in its turn may still take the live model's place;
-- one that is broken off first is dropped by the live model's keeper. What is built as of a position is not kept.
create or replace function read_shadow.forget(model text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    place record;
begin
    for place in select schemaname, tablename from pg_tables where schemaname = 'read_old' and starts_with(tablename, model || '_') loop
        execute format('drop table %I.%I', place.schemaname, place.tablename);
    end loop;
    -- First, because whoever is just about to keep one either finds the mark or is found below.
    update read_shadow.sides set forgotten = true where name = model and keeper is not null and not forgotten;
    for place in select schema from read_shadow.sides where name = model and keeper is null loop
        execute format('drop schema if exists %I cascade', place.schema);
        delete from read_shadow.sides where schema = place.schema;
    end loop;
    if pg_try_advisory_xact_lock(hashtextextended(model, 7310584019241)) then
        for place in select schemaname, tablename from pg_tables where schemaname = 'read_shadow' and starts_with(tablename, model || '_') loop
            execute format('drop table %I.%I', place.schemaname, place.tablename);
        end loop;
        delete from read_shadow.builds where name = model;
    else
        update read_shadow.builds set forgotten = true where name = model and not forgotten;
    end if;
end
$$;
