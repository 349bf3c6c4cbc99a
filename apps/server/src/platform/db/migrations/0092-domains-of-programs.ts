/** Domains of customers for ports of programs. */
export const up = `
create table workload_domains (
  domain text not null,
  workload_id text not null references workloads on delete cascade,
  port int not null,
  added_at timestamptz not null,
  -- When its records were right for the last time; null: not yet.
  proven_at timestamptz,
  next_check_at timestamptz not null,
  -- Its owner pressed the button, so that a failed certificate is ordered again at once.
  asked boolean not null default false,
  problem text not null default 'record' check (problem in ('', 'record', 'dns', 'taken', 'address', 'caa', 'quota', 'ca')),
  -- What was found instead, for people.
  detail text not null default '',
  certificate_until timestamptz,
  primary key (workload_id, domain)
);
-- A domain belongs to whoever proved it first, as long as the proof holds.
create unique index workload_domains_proven on workload_domains (domain) where proven_at is not null;
create index workload_domains_due on workload_domains (next_check_at);
`
