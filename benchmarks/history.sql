-- Fills the empty log of a migrated database with about :events events such as bookings leave behind, hash chain, streams and
-- commands included, so that 'coworkflow verify' finds it sound:
--
--     psql -v events=1000000 -f benchmarks/history.sql URL
--
-- Two units, fifty spaces, two thousand members; bookings of an hour one after the other, of which seven in ten are confirmed,
-- and these done or cancelled a thousand bookings later. Run it as the owner of the database; a million take about a minute.
\set ON_ERROR_STOP on
set synchronous_commit = off;
set client_min_messages = warning;

create schema bench;

create function bench.id(kind int, number bigint) returns uuid language sql immutable as $$
    select ('01890a5d-ac96-7' || lpad(to_hex(kind), 3, '0') || '-8000-' || lpad(to_hex(number), 12, '0'))::uuid
$$;
create function bench.time(moment timestamptz) returns text language sql stable as $$
    select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;
create function bench.local(moment timestamptz) returns text language sql stable as $$
    select to_char(moment at time zone 'UTC' - interval '3 hours', 'YYYY-MM-DD"T"HH24:MI:SS')
$$;
-- Little-endian, as EventHash writes numbers.
create function bench.le4(n int) returns bytea language sql immutable as $$
    select set_byte(set_byte(set_byte(set_byte('\x00000000', 0, n & 255), 1, n >> 8 & 255), 2, n >> 16 & 255), 3, n >> 24 & 255)
$$;
create function bench.le8(n bigint) returns bytea language sql immutable as $$
    select bench.le4((n & 2147483647)::int | ((n >> 31 & 1)::int << 31)) || bench.le4((n >> 32)::int)
$$;
create function bench.sized(bytes bytea) returns bytea language sql immutable as $$
    select bench.le4(octet_length(bytes)) || bytes
$$;

-- What booking number i is about: the i / 50th hour of space i % 50.
create function bench.booking(i bigint, out reserva uuid, out espaco uuid, out unidade uuid, out usuario uuid, out begins timestamptz,
                              out asked timestamptz, out confirmed boolean, out cancelled boolean)
language sql immutable as $$
    select bench.id(6, i), bench.id(4, i % 50), bench.id(3, i % 2), bench.id(1, i * 7919 % 2000),
           timestamptz '2026-01-01T00:00Z' + i / 50 * interval '1 hour',
           timestamptz '2025-12-31T00:00Z' + i / 50 * interval '1 hour' + i % 50 * interval '1 minute',
           i * 31 % 10 < 7, i * 17 % 10 < 2
$$;

-- The events of bookings from a to b: first what asks for them, a thousand bookings later how they end. Rows of one command
-- have the same 'command'.
create function bench.events(a bigint, b bigint)
returns table (place bigint, command uuid, stream text, type text, payload text) language sql as $$
    with asked as (select i, (bench.booking(i)).* from generate_series(a, b - 1) i),
         ended as (select i, (bench.booking(i)).* from generate_series(greatest(a - 1000, 0), b - 1001) i)
    select i * 10, bench.id(8, i), 'reserva-' || reserva, 'reservas.ReservaSolicitada',
           format('{"cotacao":{"linhas":[{"dia":"%s","intervalo":{"fim":"%s","inicio":"%s"},"lugares":1,"milesimos":1250,"multiplicador":"Pico","tipo":"tempo","valor":{"centavos":11312,"moeda":"BRL"},"valor_hora":{"centavos":9050,"moeda":"BRL"}},{"base":{"centavos":11312,"moeda":"BRL"},"dia":"%s","percentual":10,"tipo":"desconto_do_plano","valor":{"centavos":-1131,"moeda":"BRL"}}],"plano":"premium","plano_versao":1,"tarifario_versao":1,"total":{"centavos":10181,"moeda":"BRL"}},"criada_por":"%s","em":"%s","espaco":"%s","expira_em":"%s","horario":{"fim_local":"%s","fuso":"America/Sao_Paulo","inicio_local":"%s","intervalo":{"fim":"%s","inicio":"%s"},"lugares":1,"ocupacao":{"fim":"%s","inicio":"%s"}},"regras":{"buffer_antes_min":0,"buffer_depois_min":0,"cancelamento":[{"antecedencia_min":1440,"percentual":100},{"antecedencia_min":240,"percentual":50}],"tolerancia_nao_comparecimento_min":15,"versao":2},"reserva":"%s","unidade":"%s","usuario":"%s"}',
                  begins::date, bench.time(begins + interval '1 hour'), bench.time(begins), begins::date, usuario, bench.time(asked), espaco,
                  bench.time(asked + interval '15 minutes'), bench.local(begins + interval '1 hour'), bench.local(begins),
                  bench.time(begins + interval '1 hour'), bench.time(begins), bench.time(begins + interval '1 hour'), bench.time(begins),
                  reserva, unidade, usuario)
      from asked
    union all
    select i * 10 + 1, bench.id(8, i), 'agenda-' || espaco || '-' || begins::date, 'reservas.HorarioOcupado',
           format('{"dia":"%s","em":"%s","espaco":"%s","intervalo":{"fim":"%s","inicio":"%s"},"lugares":1,"reserva":"%s"}',
                  begins::date, bench.time(asked), espaco, bench.time(begins + interval '1 hour'), bench.time(begins), reserva)
      from asked
    union all
    select i * 10 + 2, bench.id(9, i), 'reserva-' || reserva, 'reservas.ReservaConfirmada',
           format('{"em":"%s","motivo":"operador","por":"%s","reserva":"%s"}', bench.time(asked + interval '5 minutes'), bench.id(1, 0), reserva)
      from asked where confirmed
    union all
    select (i + 1000) * 10 + 3, bench.id(10, i), 'reserva-' || reserva,
           case when not confirmed then 'reservas.ReservaExpirada' when cancelled then 'reservas.ReservaCancelada'
                else 'reservas.ReservaConcluida' end,
           case when not confirmed then
                    format('{"em":"%s","expira_em":"%s","reserva":"%s"}', bench.time(asked + interval '15 minutes'),
                           bench.time(asked + interval '15 minutes'), reserva)
                when cancelled then
                    format('{"em":"%s","motivo":"membro","por":"%s","reembolso":{"antecedencia_min":600,"excepcional":false,"faixa":{"antecedencia_min":240,"percentual":50},"pago":{"centavos":10181,"moeda":"BRL"},"percentual":50,"regras_versao":2,"valor":{"centavos":5090,"moeda":"BRL"}},"reserva":"%s"}',
                           bench.time(asked + interval '2 hours'), usuario, reserva)
                else format('{"em":"%s","reserva":"%s"}', bench.time(begins + interval '1 hour'), reserva) end
      from ended
    union all
    select (i + 1000) * 10 + 4, bench.id(10, i), 'agenda-' || espaco || '-' || begins::date, 'reservas.HorarioLiberado',
           format('{"dia":"%s","em":"%s","espaco":"%s","reserva":"%s"}', begins::date, bench.time(asked + interval '2 hours'), espaco, reserva)
      from ended where cancelled or not confirmed
$$;

create procedure bench.fill(wanted bigint) language plpgsql as $$
declare
    last bigint;
    previous bytea;
    event record;
    a bigint := 0;
    step constant bigint := 5000;
    began constant timestamptz := '2025-12-31T00:00Z';
    recorded timestamptz;
begin
    select head, hash into strict last, previous from log.writer;
    if last <> 0 then raise exception 'the log is not empty'; end if;
    create temp table heads (stream text primary key, version int not null);
    while last < wanted loop
        create temp table stretch on commit drop as
            select row_number() over (order by e.place) + last as position, e.command, e.stream, e.type, convert_to(e.payload, 'UTF8') as payload,
                   coalesce(h.version, 0) + row_number() over (partition by e.stream order by e.place) as version
              from bench.events(a, a + step) e left join heads h using (stream);
        create temp table chained on commit drop as select null::bigint as position, null::uuid as id, null::bytea as hash limit 0;
        for event in select * from stretch order by position loop
            recorded := began + event.position * interval '10 milliseconds';
            previous := sha256(
                bench.sized(previous) || '\x08000000' || bench.le8(event.position) || bench.sized(uuid_send(bench.id(7, event.position)))
                || bench.sized(convert_to(event.stream, 'UTF8')) || '\x04000000' || bench.le4(event.version::int)
                || bench.sized(convert_to(event.type, 'UTF8')) || '\x020000000100' || '\x08000000'
                || bench.le8((extract(epoch from recorded) * 1000000)::bigint) || bench.sized(uuid_send(event.command))
                || bench.sized(event.payload) || bench.sized('{"principal":"bench"}'));
            insert into chained values (event.position, bench.id(7, event.position), previous);
        end loop;
        insert into log.events (position, event_id, stream, version, context, type, schema_version, recorded_at, command_id, payload,
                                metadata, hash)
        select s.position, c.id, s.stream, s.version, 'reservas', s.type, 1, began + s.position * interval '10 milliseconds', s.command,
               s.payload, '{"principal":"bench"}', c.hash
          from stretch s join chained c using (position) order by s.position;
        insert into log.commands select command, '\x00', min(position), max(position) from stretch group by command;
        insert into heads select stream, max(version) from stretch group by stream
        on conflict (stream) do update set version = excluded.version;
        last := (select max(position) from stretch);
        update log.writer set head = last, hash = previous;
        a := a + step;
        commit;
    end loop;
end
$$;

call bench.fill(:events);
drop schema bench cascade;
vacuum analyze log.events, log.commands;
