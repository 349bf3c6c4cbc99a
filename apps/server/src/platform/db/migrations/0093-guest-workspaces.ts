/** Workspaces of ten minutes for people without an account. */
export const up = `
-- Without access to the internet: that of a guest.
alter table workspaces add column offline boolean not null default false;

create table guest_workspaces (
  workspace_id text primary key,
  -- An account without any sign-in method, which owns it until it is adopted.
  guest_id bigint references users on delete set null,
  -- SHA-256 of what only the guest's browser has.
  key_hash bytea not null unique,
  -- Of the guest's address.
  network text not null,
  cluster text not null check (cluster in ('distributed', 'centralized')),
  state text not null default 'starting' check (state in ('starting', 'running', 'failed', 'over')),
  created_at timestamptz not null,
  started_at timestamptz,
  ends_at timestamptz not null,
  adopted_by bigint references users on delete set null,
  adopted_at timestamptz,
  -- When it is to be ended, or that is tried again.
  due_at timestamptz not null
);
create index guest_workspaces_due on guest_workspaces (due_at) where state <> 'over';
-- One at a time per network.
create unique index guest_workspaces_of_network on guest_workspaces (network) where state in ('starting', 'running');
-- An account adopts one while the row is kept.
create unique index guest_workspaces_adopted on guest_workspaces (adopted_by) where adopted_by is not null;
`
