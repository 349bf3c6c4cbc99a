/** Which problems of a program its owner was told of. */
export const up = `
create table program_alerts (
  workload_id text not null references workloads on delete cascade,
  kind text not null check (kind in ('disk', 'memory', 'restarts', 'stopped', 'unhealthy')),
  -- When the problem was last there. The owner is told again only after it was away for a day.
  seen_at timestamptz not null,
  primary key (workload_id, kind)
);
create index program_alerts_seen on program_alerts (seen_at);

alter table notification_choices drop constraint notification_choices_kind_check;
alter table notification_choices add constraint notification_choices_kind_check check (
  kind in ('ending', 'usage', 'orders', 'programs', 'devices', 'earnings', 'teams', 'webhooks', 'support', 'uploads'));
`
