-- A command that fails again and again for a reason of its own is set aside: nobody gives it until an operator asks, or a process begins
-- that can. `failures` counts such tries, and none that found no way to the log.
alter table subs.timers
    add column failures     integer not null default 0,
    add column set_aside_at timestamptz;
create index timers_set_aside on subs.timers (kind, command_id) where set_aside_at is not null;
grant select (command_id, kind, aggregate, due, cause, attempts, last_error, failures, set_aside_at) on subs.timers to coworkflow_gateway;

-- Whatever somebody decided about events that could not be applied, for ever: a skip that is taken back leaves its row in dead_letters, and
-- that row goes with the event.
create table subs.dead_letter_decisions (
    decided_at   timestamptz not null default clock_timestamp(),
    subscription text        not null,
    position     bigint      not null check (position > 0),
    decision     text        not null check (decision in ('skip', 'unskip')),
    decided_by   text        not null,
    reason       text        not null
);
create index dead_letter_decisions_event on subs.dead_letter_decisions (position);
create table read.dead_letter_decisions (like subs.dead_letter_decisions including all);
insert into subs.dead_letter_decisions
select skipped_at, subscription, position, 'skip', skipped_by, skip_reason from subs.dead_letters where skipped_at is not null;
insert into read.dead_letter_decisions
select skipped_at, subscription, position, 'skip', skipped_by, skip_reason from read.dead_letters where skipped_at is not null;
grant select, insert on subs.dead_letter_decisions to coworkflow_service;
grant select, insert on read.dead_letter_decisions to coworkflow_projector;

-- The read model has passed an event that is to be applied after all: it is applied where the model is built anew.
alter table subs.dead_letters add column rebuild_asked boolean not null default false;
alter table read.dead_letters add column rebuild_asked boolean not null default false;
