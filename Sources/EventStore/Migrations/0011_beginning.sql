-- Where the policies of this database began. What was recorded up to there has had its effects outside, from another database: before a log
-- was imported here, or before `subs` was lost and the rest restored.
create table subs.beginning (
    singleton   boolean     primary key default true check (singleton),
    position    bigint      not null check (position >= 0),
    -- When the event at the position was recorded; null at the beginning of the log.
    recorded_at timestamptz
);
grant select, insert on subs.beginning to coworkflow_service;

-- The policies of a database that has worked before this table was there began with its log.
insert into subs.beginning (position) select 0 where exists (select from subs.checkpoints);

-- For an import: whatever was said before, all that is imported lies before the beginning.
create function subs.begin_after(last bigint) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    insert into subs.beginning as b (position, recorded_at)
    select last, (select e.recorded_at from log.events e where e.position = last)
        on conflict (singleton) do update set position = excluded.position, recorded_at = excluded.recorded_at
     where b.position < excluded.position
$$;
revoke all on function subs.begin_after(bigint) from public;
grant usage on schema subs to coworkflow_recorder;
grant execute on function subs.begin_after(bigint) to coworkflow_recorder;
