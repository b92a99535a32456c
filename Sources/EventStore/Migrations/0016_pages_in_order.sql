-- Vacuum notes how much room each page has left, and from then on what is small enough is inserted into old pages: each must be read, goes
-- to the WAL as a whole, and the log does not lie in its order any more. Where nothing is updated or deleted there is nothing else for
-- vacuum to do but to freeze, which Postgres comes to by itself every 200 million transactions.
alter table log.events set (autovacuum_vacuum_insert_threshold = -1, toast.autovacuum_vacuum_insert_threshold = -1);
alter table log.commands set (autovacuum_vacuum_insert_threshold = -1);
