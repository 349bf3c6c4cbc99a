/** Anybody may run an edge: its copies count when we had it fetch them and an audit has found them there. */
export const up = `
alter table replicas drop constraint replicas_state_check;
-- claimed: an edge says that it holds it, and nobody has looked yet.
alter table replicas add constraint replicas_state_check check (state in ('wanted', 'pulling', 'claimed', 'stored', 'lost', 'removed'));
-- Whether the node was told to fetch it and said that it has, and whether an audit has found it there since.
alter table replicas add column pulled boolean not null default false;
alter table replicas add column proven boolean not null default false;

-- What edges held counted on their word: it counts when an audit found it there, and is audited otherwise.
update replicas r set pulled = true, proven = true from nodes n
  where n.id = r.node_id and n.kind = 'edge' and r.state in ('stored', 'lost') and not r.doubted
    and exists (select 1 from audits a where a.node_id = r.node_id and a.cid = r.cid and a.state = 'passed');
update replicas r set pulled = true, state = 'claimed' from nodes n
  where n.id = r.node_id and n.kind = 'edge' and r.state = 'stored' and not r.proven;

create index replicas_claimed on replicas (node_id, changed_at) where state = 'claimed';
-- Pulls that failed wait until then, longer each time; what the node gets done in the meantime ends the wait.
create index replicas_waiting on replicas (node_id) where state in ('wanted', 'lost') and retry_at is not null;
create index replicas_failed_until on replicas (retry_at) where state = 'lost' and retry_at is not null;
drop index replicas_failed;
-- The last failed audit that counted: those that follow at once are of the same outage.
alter table nodes add column failed_at timestamptz;
-- When the node, which was full, had room again.
alter table nodes add column roomy_at timestamptz;
-- Edges that are gone for good are looked for.
create index nodes_gone on nodes (seen_at) where status = 'offline' and kind = 'edge';
`
