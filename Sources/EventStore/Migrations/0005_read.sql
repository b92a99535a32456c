-- Where each read model stands: `position`, considered up to; `changed`, the last position that altered its rows.
create table read.checkpoints (
    name        text        primary key,
    definition  text        not null,
    position    bigint      not null default 0 check (position >= 0),
    changed     bigint      not null default 0,
    owner       uuid,
    lease_until timestamptz
);
grant select, insert, update, delete on read.checkpoints to coworkflow_projector;
grant select on read.checkpoints to coworkflow_gateway;
