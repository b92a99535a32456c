-- A move schedules the new end of a booking. Until now that said nothing of whose booking it is, so that it was nobody's once the old end
-- had passed.
update subs.timers t
   set subject = (
       select convert_from(e.payload, 'UTF8')::json ->> 'usuario'
         from log.events e
        where e.stream = 'reserva-' || t.aggregate and e.version = 1
   )
 where t.kind = 'reservas.concluir' and t.subject is null;
