-- Raises unless each stream named is at the version given, 0 for a stream that does not exist. The recorder asks in the transaction of
-- a batch for what it assumed of streams that it does not write to, or does not know from the start.
create function log.expect(streams text[], versions integer[]) returns void
language plpgsql as $$
begin
    if exists (
        select from unnest(streams, versions) as expected(stream, version)
          left join log.heads using (stream)
         where coalesce(heads.version, 0) <> expected.version
    ) then
        raise exception 'a stream is not at the version expected' using errcode = 'CW005';
    end if;
end
$$;
