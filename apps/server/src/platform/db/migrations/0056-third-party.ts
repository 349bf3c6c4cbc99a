/** Third-party replicas: what accounts agreed to, and the copies at each provider. */
export const up = `
-- Accounts without a row agreed to encrypted files only.
create table third_party_choices (
  user_id bigint primary key references users on delete cascade,
  choice text not null check (choice in ('off', 'encrypted', 'all')),
  changed_at timestamptz not null
);

-- Contents that have third-party replicas, or may need some.
create table third_party_contents (
  cid text primary key,
  -- When their replicas are planned again.
  check_at timestamptz not null,
  -- No node has the content: when it is fetched back next.
  restore_at timestamptz,
  restore_tries int not null default 0,
  restore_error text not null default ''
);
create index third_party_contents_due on third_party_contents (check_at);
create index third_party_contents_restore on third_party_contents (restore_at) where restore_at is not null;

create table third_party_replicas (
  id bigint generated always as identity primary key,
  -- Identifies the replica towards the provider.
  key uuid not null default gen_random_uuid(),
  cid text not null,
  size bigint not null,
  kind text not null check (kind in ('file', 'folder')),
  provider text not null,
  adapter text not null check (adapter in ('kubo', 'pinning', 'simulation')),
  -- Simulated providers have several replicas of a content.
  slot int not null,
  -- The provider's id of the replica; null: not sent.
  external_id text,
  state text not null check (state in ('queued', 'inProgress', 'stored', 'failed', 'removing')),
  reason text,
  error text not null default '',
  late_since timestamptz,
  tries int not null default 0,
  provider_label text not null default '',
  deal_id text not null default '',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expected_at timestamptz not null,
  stored_at timestamptz,
  checked_at timestamptz,
  failed_checks int not null default 0,
  expires_at timestamptz,
  renewals int not null default 0,
  -- When its owners were told that it expires.
  notified_at timestamptz,
  -- When a server works on it next.
  next_at timestamptz not null,
  -- A server works on it until then.
  lease_until timestamptz,
  unique (cid, provider, slot)
);
create index third_party_replicas_due on third_party_replicas (next_at);
create index third_party_replicas_queue on third_party_replicas (provider, id) where state = 'queued';
create index third_party_replicas_expiring on third_party_replicas (expires_at) where expires_at is not null and notified_at is null;

create table third_party_providers (
  name text primary key,
  answered_at timestamptz,
  failed_at timestamptz,
  error text not null default ''
);

-- How far the assets of all accounts were looked through: the newest one that was seen, and the sweep that finds changes of plans.
create table third_party_scan (newest bigint not null, sweep bigint not null);
insert into third_party_scan values (0, 0);
`
