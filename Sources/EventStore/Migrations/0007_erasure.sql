-- A person's key that was deleted stays deleted: its row remains without the key, so that the primary key keeps anybody from
-- making another. `master` names the master key that a key is wrapped under; empty for those made before this migration.
alter table keys.personal
    alter column wrapped drop not null,
    add column master text,
    add column erased_at timestamptz,
    add constraint personal_key_or_erased check ((wrapped is null) = (erased_at is not null)),
    add constraint personal_erased_has_no_master check (wrapped is not null or master is null);

create function keys.keep_erased() returns trigger
language plpgsql as $$
begin
    raise exception 'an erased person stays erased: % on %.% is refused', tg_op, tg_table_schema, tg_table_name
        using errcode = 'CW003';
end
$$;
create trigger stays_erased before update or delete on keys.personal
    for each row when (old.erased_at is not null) execute function keys.keep_erased();
alter table keys.personal enable always trigger stays_erased;
create trigger stays_erased_all before truncate on keys.personal
    for each statement execute function keys.keep_erased();
alter table keys.personal enable always trigger stays_erased_all;

revoke delete on keys.personal from coworkflow_keyring;
grant update (wrapped, master, erased_at) on keys.personal to coworkflow_keyring;

-- Whom a scheduled command concerns, where somebody asks: a booking's end, until which it may be open.
alter table subs.timers add column subject text;
create index timers_subject on subs.timers (subject, kind) where subject is not null;
update subs.timers t
   set subject = (
       select convert_from(e.payload, 'UTF8')::json ->> 'usuario'
         from log.events e
        where e.stream = 'reserva-' || t.aggregate and e.version = 1
   )
 where t.kind = 'reservas.concluir';

-- All refresh tokens of an account end with it.
create index refresh_tokens_account on volatile.refresh_tokens (account);
