/** Which level of a quota its owner was told of. */
export const up = `
create table usage_alerts (
  user_id bigint not null references users on delete cascade,
  resource text not null check (resource in ('storage', 'traffic')),
  -- Percent.
  level smallint not null check (level in (80, 100)),
  -- Since when the traffic is counted; null for storage.
  period timestamptz,
  primary key (user_id, resource)
);

-- Hours arrive in order, so this small index finds the latest ones.
create index usage_hours_lately on usage_hours using brin (hour) with (pages_per_range = 16);
`
