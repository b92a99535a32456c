-- A person's data key, wrapped under the master key that only the configuration knows.
create table keys.personal (
    subject    text        primary key,
    wrapped    bytea       not null,
    created_at timestamptz not null default now()
);
grant select, insert, delete on keys.personal to coworkflow_keyring;

-- Refresh tokens: only their SHA-256. One family a session; a token used twice means that it was stolen.
create table volatile.refresh_tokens (
    hash       bytea       primary key,
    session    text        not null,
    account    text        not null,
    expires_at timestamptz not null,
    used_at    timestamptz
);
create index refresh_tokens_session on volatile.refresh_tokens (session);
create index refresh_tokens_expiry on volatile.refresh_tokens (expires_at);
grant select, insert, update, delete on volatile.refresh_tokens to coworkflow_gateway;
