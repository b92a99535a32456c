-- The fence is the UPDATE of the writer's row itself, which calls this where the row is not as the batch assumes:
--
--     update log.writer set head = case when epoch = $1 and head = $2 then $3 else log.fenced() end, hash = $4
--
-- It raises, because the rest of the pipeline would go on to commit, and it must stay volatile, or it would raise when the statement is
-- planned. log.fence said the same in a function around an UPDATE and took three times as long, in every batch. It stays for as long as a
-- recorder of the version before may be at work.
create function log.fenced() returns bigint language plpgsql as $$
begin
    raise exception 'the log has another writer' using errcode = 'CW001';
end
$$;

-- An UPDATE of no row would raise nothing, so the row stays.
create trigger keep_row before delete or truncate on log.writer
    for each statement execute function log.refuse_change();
alter table log.writer enable always trigger keep_row;
