/** What a node's audits and transfers showed: whether it is vetted or draining, and its measured rate. */
export const up = `
-- The /24 or /48 of the address at which the server last reached it, or that it registered from if it was never reached.
alter table nodes add column network text not null default '';
-- When an edge's vetting began (null: when it registered), the audits that counted since, and when it was vetted.
alter table nodes add column vetting_since timestamptz;
alter table nodes add column audits_passed int not null default 0;
alter table nodes add column vetted_at timestamptz;
-- Passed and failed audits, halved every six hours; at the time of the last one.
alter table nodes add column audit_good double precision not null default 0;
alter table nodes add column audit_bad double precision not null default 0;
alter table nodes add column audit_score_at timestamptz;
alter table nodes add column abnormal_since timestamptz;
alter table nodes add column draining_since timestamptz;
-- Since when the server cannot reach it, when another node last did, and since when its copies do not count for that.
alter table nodes add column unreachable_since timestamptz;
alter table nodes add column reachable_via_at timestamptz;
alter table nodes add column uncounted_since timestamptz;
-- When it last could take more copies than before: reachable, vetted, or no longer draining.
alter table nodes add column eligible_at timestamptz;
-- Bytes per second that others measured, moving average; 0: nobody did.
alter table nodes add column rate double precision not null default 0;

update nodes set unreachable_since = reachable_at where not reachable and reachable_at is not null;
update nodes n set network = case when position('.' in n.ip) > 0 then regexp_replace(regexp_replace(n.ip, '^::ffff:', ''), '[0-9]+$', '0/24')
  else n.ip end;
-- Edges that proved themselves before vetting existed.
update nodes n set vetted_at = now(), audits_passed = 100 where n.kind = 'edge' and n.status <> 'abnormal'
  and n.created_at <= now() - interval '3 days'
  and (select count(distinct (a.cid, date_trunc('hour', a.done_at))) from audits a where a.node_id = n.id and a.state = 'passed') >= 100;

-- Who measured a node in an hour, and how often that counted.
create table node_reports (
  node_id text not null references nodes on delete cascade,
  -- An account, a client network, a validator or the server.
  reporter text not null,
  hour timestamptz not null,
  reports int not null default 0,
  rated boolean not null default false,
  primary key (node_id, reporter, hour)
);
create index node_reports_hour on node_reports (hour);
`
