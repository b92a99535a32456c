-- The log. Payload and metadata are the very bytes that were hashed: jsonb would rewrite numbers and key order.
create table log.events (
    position       bigint      primary key check (position > 0),
    event_id       uuid        not null,
    stream         text        not null check (stream <> ''),
    version        integer     not null check (version > 0),
    context        text        not null,
    type           text        not null,
    schema_version smallint    not null check (schema_version > 0),
    recorded_at    timestamptz not null,
    command_id     uuid        not null,
    payload        bytea       not null,
    metadata       bytea       not null,
    hash           bytea       not null check (octet_length(hash) = 32)
);

-- Reads of one stream in order. The heads table enforces versions; this index would catch its breach.
create unique index events_stream_version on log.events (stream, version);

comment on column log.events.hash is
    'SHA-256 over the previous event''s hash (32 zero bytes before the first) and every column, each prefixed by its length; see docs/event-store.md';

-- The version of each stream: what an append's expectations are checked against.
create table log.heads (
    stream  text    primary key,
    version integer not null check (version > 0)
);

-- One row a command that appended: makes an append idempotent and finds the events it recorded.
create table log.commands (
    command_id     uuid   primary key,
    fingerprint    bytea  not null,
    first_position bigint not null,
    last_position  bigint not null check (last_position >= first_position)
);

-- The one writer. `epoch` counts takeovers; `head` and `hash` are those of the last event.
create table log.writer (
    singleton     boolean     primary key default true check (singleton),
    epoch         bigint      not null,
    head          bigint      not null,
    hash          bytea       not null,
    backend_pid   integer,
    backend_start timestamptz
);
insert into log.writer (epoch, head, hash) values (0, 0, decode(repeat('00', 32), 'hex'));

-- First statement of every batch. It raises, because an UPDATE of no row is no error and the rest of a pipeline
-- would go on to commit.
create function log.fence(
    held_epoch bigint, known_head bigint, new_head bigint, new_hash bytea
) returns void
language plpgsql as $$
begin
    update log.writer
       set head = new_head, hash = new_hash
     where epoch = held_epoch and head = known_head;
    if not found then
        raise exception 'the log has another writer' using errcode = 'CW001';
    end if;
end
$$;

-- Makes the caller the writer: ends the backend that the row names, then moves the epoch. The row's lock orders this
-- after any batch that is still committing, so the head returned is final for the epochs before.
create function log.take_over(out epoch bigint, out head bigint, out hash bytea)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    mine timestamptz := (select a.backend_start from pg_stat_activity a where a.pid = pg_backend_pid());
begin
    if mine is null then
        raise warning 'the owner of log.take_over() may not see the recorder''s backend: grant it the recorder''s login';
    end if;
    perform pg_terminate_backend(a.pid, 5000)
       from pg_stat_activity a
       join log.writer w on w.backend_pid = a.pid and w.backend_start = a.backend_start
      where a.pid <> pg_backend_pid();
    update log.writer w
       set epoch = w.epoch + 1, backend_pid = pg_backend_pid(), backend_start = mine
    returning w.epoch, w.head, w.hash into epoch, head, hash;
end
$$;
revoke execute on function log.take_over() from public;
grant execute on function log.take_over() to coworkflow_recorder;

-- History is only ever added to. ENABLE ALWAYS holds under session_replication_role = replica as well, and statement
-- triggers fire for the owner and for superusers.
create function log.refuse_change() returns trigger
language plpgsql as $$
begin
    raise exception 'the log is append-only: % on %.% is refused', tg_op, tg_table_schema, tg_table_name
        using errcode = 'CW002';
end
$$;
create trigger append_only before update or delete or truncate on log.events
    for each statement execute function log.refuse_change();
alter table log.events enable always trigger append_only;
create trigger append_only before update or delete or truncate on log.commands
    for each statement execute function log.refuse_change();
alter table log.commands enable always trigger append_only;

grant select, insert on log.events, log.commands to coworkflow_recorder;
grant select, insert, update on log.heads to coworkflow_recorder;
grant select, update on log.writer to coworkflow_recorder;
grant select on log.events, log.heads, log.commands, log.writer to coworkflow_service, coworkflow_projector;

-- For people: the stored bytes as JSON.
create view log.readable as
    select position, recorded_at, stream, version, type, schema_version,
           convert_from(payload, 'UTF8')::json as payload,
           convert_from(metadata, 'UTF8')::json as metadata,
           event_id, command_id, encode(hash, 'hex') as hash
      from log.events;
