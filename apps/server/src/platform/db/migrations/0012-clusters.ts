/** What orders bought on clusters, what runs there, and who is let into the console. */
export const up = `
create table workspaces (
  -- The id of the order that made it.
  id text primary key,
  user_id bigint not null references users,
  cluster text not null check (cluster in ('distributed', 'centralized')),
  -- Cores, GB, GB.
  cpu int not null check (cpu > 0),
  ram int not null check (ram > 0),
  storage int not null check (storage > 0),
  state text not null check (state in ('making', 'ready', 'suspended', 'removed')),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- When its use was last looked at.
  sampled_at timestamptz
);
create index workspaces_of_user on workspaces (user_id, created_at desc);
create index workspaces_there on workspaces (cluster) where state <> 'removed';

create table workloads (
  id text primary key,
  workspace_id text not null references workspaces,
  name text not null,
  template text not null default '',
  -- Null: the cluster's own.
  image text,
  command text[] not null default '{}',
  -- Sealed: names and values, which may be secrets.
  env bytea not null,
  ports int[] not null default '{}',
  -- Thousandths of a core; bytes.
  cpu int not null check (cpu >= 0),
  memory bigint not null check (memory >= 0),
  storage bigint not null check (storage >= 0),
  wanted text not null check (wanted in ('running', 'stopped', 'removed')),
  -- Raised with every change of what is wanted; done is the last one that was carried out.
  version int not null default 1,
  done int not null default 0,
  held_until timestamptz,
  -- Why it is not as wanted: a ClusterFailure or overStorage; empty: it is.
  failure text not null default '',
  note text not null default '',
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create unique index workloads_name on workloads (workspace_id, name) where wanted <> 'removed';

-- The last lines of runs that are over.
create table workload_logs (
  workload_id text primary key references workloads on delete cascade,
  lines text not null,
  at timestamptz not null
);

create table workload_usage (
  workload_id text not null references workloads on delete cascade,
  at timestamptz not null,
  -- Cores in use since the sample before; bytes.
  cpu real not null,
  memory bigint not null,
  storage bigint not null,
  received bigint not null,
  sent bigint not null,
  -- As the cluster counts, to tell what came after.
  cpu_seconds double precision not null,
  primary key (workload_id, at)
);

create table console_accounts (
  user_id bigint primary key references users on delete cascade,
  -- Sealed, for the owner may look at it.
  password bytea not null,
  created_at timestamptz not null,
  changed_at timestamptz not null
);

create table console_tickets (
  hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  expires_at timestamptz not null
);
create index console_tickets_end on console_tickets (expires_at);

create table console_sessions (
  hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ip text not null default '',
  agent text not null default ''
);
create index console_sessions_of_user on console_sessions (user_id);

-- Null: a key to everything its permissions name. Otherwise a key that copies this folder into a workspace and lets nobody do anything else.
alter table api_keys add column folder_id bigint;
`
