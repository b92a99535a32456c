-- Addresses that are told of events, as the subscription `notificacoes.webhooks` has come to know them: rows move with its checkpoint.
create table subs.webhooks (
    id            uuid        primary key,
    url           text        not null,
    types         text[]      not null,
    secret        text        not null,
    active        boolean     not null,
    -- Attempts that failed since one last succeeded, and since when.
    failures      integer     not null default 0,
    failing_since timestamptz
);

-- What each is told, and how that went. A row an event: telling it twice is one row.
create table subs.webhook_deliveries (
    webhook       uuid        not null references subs.webhooks on delete cascade,
    position      bigint      not null,
    event_id      uuid        not null,
    type          text        not null,
    state         text        not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'dropped')),
    attempts      integer     not null default 0,
    next_at       timestamptz not null,
    claimed_until timestamptz,
    last_status   integer,
    last_error    text,
    created_at    timestamptz not null,
    settled_at    timestamptz,
    primary key (webhook, position)
);
create index webhook_deliveries_due on subs.webhook_deliveries (webhook, position) where state = 'pending';
create index webhook_deliveries_settled on subs.webhook_deliveries (settled_at) where settled_at is not null;

grant select, insert, update, delete on subs.webhooks, subs.webhook_deliveries to coworkflow_service;
