/** Logins of accounts at image registries. */
export const up = `
create table registry_logins (
  user_id bigint not null references users on delete cascade,
  host text not null,
  -- { username, password }: encrypted and bound to account and host.
  sealed bytea not null,
  changed_at timestamptz not null,
  primary key (user_id, host)
);
`
