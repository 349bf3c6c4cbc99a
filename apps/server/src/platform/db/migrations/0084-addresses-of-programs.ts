/** Addresses of programs in workspaces: a short name for each workspace, and who may open a port. */
export const up = `
-- From the id, which is too long for a host name together with a program's name.
alter table workspaces add column code text generated always as (left(md5(id), 12)) stored;
create unique index workspaces_by_code on workspaces (code);

create table workload_addresses (
  workload_id text not null references workloads on delete cascade,
  port int not null,
  access text not null check (access in ('none', 'account', 'password', 'public')),
  -- scrypt; only with access 'password'.
  password text check ((access = 'password') = (password is not null)),
  changed_at timestamptz not null,
  primary key (workload_id, port)
);
`
