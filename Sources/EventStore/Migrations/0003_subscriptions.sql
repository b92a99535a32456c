-- Where each policy stands. The lease names the replica that runs it; `position` is the fence: it moves only from the
-- value its runner read.
create table subs.checkpoints (
    name        text        primary key,
    position    bigint      not null default 0 check (position >= 0),
    owner       uuid,
    lease_until timestamptz
);

-- Commands that are to be given at a time. A row commits with the checkpoint of the policy that asked for it and is
-- deleted once its command was accepted (or no longer applies).
create table subs.timers (
    command_id    uuid        primary key,
    kind          text        not null,
    aggregate     text        not null,
    due           timestamptz not null,
    cause         uuid        not null,
    claimed_until timestamptz,
    attempts      integer     not null default 0,
    last_error    text
);
create index timers_due on subs.timers (due);

grant select, insert, update, delete on subs.checkpoints, subs.timers to coworkflow_service;
