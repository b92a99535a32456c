-- A checkpoint ahead of the log is what is left when the log was restored from an older backup than the rest. What would be recorded
-- next, up to there, whoever has that checkpoint would never look at; so nothing is recorded. The recorder may read neither table.
create function log.checkpoint_ahead(out name text, out "position" bigint)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select c.name, c.position
      from (select name, position from subs.checkpoints union all select name, position from read.checkpoints) c, log.writer w
     where c.position > w.head
     order by c.position desc, c.name limit 1
$$;
revoke execute on function log.checkpoint_ahead() from public;
grant execute on function log.checkpoint_ahead() to coworkflow_recorder;
