/** Restart policies, health checks and scheduled stops of programs. */
export const up = `
alter table workloads
  add column restart text not null default 'on-failure' check (restart in ('always', 'on-failure', 'never')),
  -- Null: not checked. Otherwise { kind, port, path, interval, threshold }.
  add column health jsonb,
  add column stop_at timestamptz,
  -- Restarts after failures since it was started or changed, and those since it last ran well.
  add column restarts int not null default 0,
  add column restart_streak int not null default 0,
  -- The next restart, and whether its job was added.
  add column restart_at timestamptz,
  add column restart_asked boolean not null default false,
  add column health_state text not null default 'unknown' check (health_state in ('unknown', 'healthy', 'unhealthy')),
  add column health_failures int not null default 0,
  add column health_note text not null default '',
  add column probed_at timestamptz;

create index workloads_to_probe on workloads (probed_at) where health is not null and wanted = 'running';
create index workloads_to_restart on workloads (restart_at) where restart_at is not null;
create index workloads_to_stop on workloads (stop_at) where stop_at is not null;

alter table workload_settings
  add column restart text not null default 'on-failure' check (restart in ('always', 'on-failure', 'never')),
  add column health jsonb;
`
