-- The version of a stream is that of its last event, which the index on stream and version finds. A table of versions beside it cost a row
-- and an entry of an index for each new stream, a dead row for each event of an old one, and could only ever say the same.
--
-- Names of streams are compared byte by byte, whatever the database's locale: that is faster, and what begins with a text lies together.
drop view log.readable;
drop table log.heads;
alter table log.events alter column stream type text collate "C";

create view log.readable as
    select position, recorded_at, stream, version, type, schema_version,
           convert_from(payload, 'UTF8')::json as payload,
           convert_from(metadata, 'UTF8')::json as metadata,
           event_id, command_id, encode(hash, 'hex') as hash
      from log.events;

-- Raises unless each stream named is at the version given, 0 for a stream that does not exist. The recorder asks in the transaction of
-- a batch for what it assumed of streams that it does not write to, or does not know from the start.
create or replace function log.expect(streams text[], versions integer[]) returns void
language plpgsql as $$
begin
    if exists (
        select from unnest(streams, versions) as expected(stream, version)
          left join lateral (
                   select e.version from log.events e where e.stream = expected.stream order by e.version desc limit 1
               ) as actual on true
         where coalesce(actual.version, 0) <> expected.version
    ) then
        raise exception 'a stream is not at the version expected' using errcode = 'CW005';
    end if;
end
$$;

-- A recorder of the version before may still be at work: it reads versions here, and what it writes is in its events already.
create view log.heads as select stream, max(version) as version from log.events group by stream;
create function log.ignore() returns trigger language plpgsql as $$
begin
    return new;
end
$$;
create trigger ignore instead of insert or update on log.heads for each row execute function log.ignore();
grant select, insert, update on log.heads to coworkflow_recorder;
grant select on log.heads to coworkflow_service, coworkflow_projector;
