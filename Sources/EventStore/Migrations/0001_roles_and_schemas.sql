-- Group roles: what a process may do. Login roles are made by whoever runs the database and are granted one of these;
-- a process connects as its login and takes the group role (`-c role=…`), so a development login may hold them all.
-- Roles belong to the whole cluster while a migration belongs to one database: another database may have made them already.
do $$
declare
    name text;
begin
    foreach name in array array[
        'coworkflow_recorder', 'coworkflow_service', 'coworkflow_projector', 'coworkflow_gateway', 'coworkflow_keyring'
    ] loop
        begin
            execute format('create role %I nologin', name);
        exception when duplicate_object or unique_violation then
            null;
        end;
        -- The one who migrates may act as each of them; a superuser needs no grant.
        if not pg_has_role(current_user, name, 'member') then
            execute format('grant %I to %I', name, current_user);
        end if;
    end loop;
end
$$;

revoke create on schema public from public;

create schema log;       -- the event log: the recorder inserts, everyone else reads
create schema read;      -- read models: the projector writes, the gateway reads
create schema subs;      -- checkpoints, leases and timers of policies
create schema keys;      -- keys of sealed personal data
create schema volatile;  -- refresh tokens and the like: expiring, not history

grant usage on schema log to coworkflow_recorder, coworkflow_service, coworkflow_projector;
grant usage, create on schema read to coworkflow_projector;
grant usage on schema read to coworkflow_gateway;
grant usage on schema subs to coworkflow_service;
grant usage on schema keys to coworkflow_keyring;
grant usage on schema volatile to coworkflow_gateway;

alter default privileges for role coworkflow_projector in schema read grant select on tables to coworkflow_gateway;
