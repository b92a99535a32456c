-- Whether the event stopped a rebuild, beside which the model serves and may long have passed the position.
alter table read.dead_letters add column rebuilding boolean not null default false;
