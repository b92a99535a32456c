-- Events that a policy could not apply, and those of the same stream that wait behind them. A row goes when the event has
-- been applied after all; one that was skipped stays, and says who decided that and why.
create table subs.dead_letters (
    subscription text        not null,
    position     bigint      not null check (position > 0),
    event_id     uuid        not null,
    stream       text        not null,
    type         text        not null,
    error        text,       -- null: only waits behind another
    attempts     integer     not null default 0,
    first_seen   timestamptz not null default clock_timestamp(),
    last_seen    timestamptz not null default clock_timestamp(),
    retry_asked  boolean     not null default false,
    skipped_at   timestamptz,
    skipped_by   text,
    skip_reason  text,
    primary key (subscription, position),
    check (num_nulls(skipped_at, skipped_by, skip_reason) in (0, 3))
);
create index dead_letters_waiting on subs.dead_letters (subscription, stream, position) where skipped_at is null;
grant select, insert, update, delete on subs.dead_letters to coworkflow_service;

-- The same for read models, which halt at the event instead: nothing waits behind it.
create table read.dead_letters (like subs.dead_letters including all);
grant select, insert, update, delete on read.dead_letters to coworkflow_projector;

grant usage on schema subs to coworkflow_gateway;
grant select on subs.dead_letters, read.dead_letters to coworkflow_gateway;

-- First statement of whatever a subscription writes. They raise, because an UPDATE of no row is no error and the rest of a
-- pipeline would go on to commit.
create function subs.move_checkpoint(
    subscription text, old_position bigint, new_position bigint, replica uuid, lease double precision
) returns void
language plpgsql as $$
begin
    update subs.checkpoints
       set position = new_position, lease_until = clock_timestamp() + make_interval(secs => lease)
     where name = subscription and position = old_position and owner = replica;
    if not found then
        raise exception 'the checkpoint of % is another replica''s', subscription using errcode = 'CW003';
    end if;
end
$$;

create function read.move_checkpoint(
    subscription text, old_position bigint, new_position bigint, replica uuid, lease double precision, new_changed bigint
) returns void
language plpgsql as $$
begin
    update read.checkpoints
       set position = new_position, lease_until = clock_timestamp() + make_interval(secs => lease),
           changed = coalesce(new_changed, changed)
     where name = subscription and position = old_position and owner = replica;
    if not found then
        raise exception 'the checkpoint of % is another replica''s', subscription using errcode = 'CW003';
    end if;
end
$$;

-- To be called in the transaction that applies the event after all: it raises where somebody has skipped it meanwhile.
create function read.resolve_dead_letter(of_subscription text, at_position bigint) returns void
language plpgsql as $$
begin
    delete from read.dead_letters
     where subscription = of_subscription and position = at_position and skipped_at is null;
    if not found then
        raise exception 'event % of % is no longer to be applied', at_position, of_subscription using errcode = 'CW003';
    end if;
end
$$;
