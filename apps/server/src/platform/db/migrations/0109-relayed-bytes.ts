/** Which relays nodes were given, and what relays passed on for them. */
export const up = `
-- Chosen at random once, so that a relay cannot choose the nodes that it serves.
create table relay_choices (
  node_id text not null references nodes (id) on delete cascade,
  relay_id text not null references nodes (id) on delete cascade,
  chosen_at timestamptz not null,
  -- Of the last ticket.
  used_at timestamptz not null,
  primary key (node_id, relay_id)
);
create index relay_choices_relay on relay_choices (relay_id);
create index relay_choices_used_at on relay_choices (used_at);
-- The largest number that both signed; the next one of the session adds the difference to the day.
create table relayed_sessions (
  relay_id text not null references nodes (id) on delete cascade,
  node_id text not null references nodes (id) on delete cascade,
  session text not null,
  bytes bigint not null check (bytes > 0),
  -- Until then, the server remembers it.
  until timestamptz not null,
  primary key (relay_id, node_id, session)
);
create index relayed_sessions_node on relayed_sessions (node_id);
create index relayed_sessions_until on relayed_sessions (until);
create table relayed_days (
  relay_id text not null references nodes (id) on delete cascade,
  node_id text not null references nodes (id) on delete cascade,
  day date not null,
  bytes bigint not null check (bytes >= 0),
  primary key (relay_id, node_id, day)
);
create index relayed_days_node on relayed_days (node_id, day);
create index relayed_days_day on relayed_days (day);
-- Of nodes behind relays: bytes of paid downloads that reader and node signed.
create table relayed_downloads (
  node_id text not null references nodes (id) on delete cascade,
  day date not null,
  bytes bigint not null check (bytes >= 0),
  primary key (node_id, day)
);
create index relayed_downloads_day on relayed_downloads (day);
`
