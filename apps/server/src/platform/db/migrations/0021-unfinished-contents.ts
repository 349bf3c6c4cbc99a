/** Which contents could take more replicas is written by who knows how many there should be: the number stands in one place. */
export const up = `
-- Fewer replicas are wanted than the target: there are not nodes enough.
alter table contents add column short boolean not null default true;
update contents set short = false where wanted >= 50;
create index contents_unfinished on contents (placed_at) where stored < wanted or short;
drop index contents_short;
`
