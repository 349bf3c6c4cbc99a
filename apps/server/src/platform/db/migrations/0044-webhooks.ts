/** Webhooks, their deliveries, and until when lost copies were reported. */
export const up = `
create table webhooks (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  name text not null,
  url text not null,
  -- Host and port of the URL, for the limit of concurrent deliveries.
  host text not null,
  events text[] not null,
  -- Encrypted.
  secret bytea not null,
  -- Signs too until then, while the owner replaces it.
  previous_secret bytea,
  previous_until timestamptz,
  -- Language of e-mails about it.
  lang text not null check (lang in ('en', 'cn')),
  enabled boolean not null default true,
  disabled_by text not null default '' check (disabled_by in ('', 'owner', 'gone', 'failing')),
  -- Failed deliveries since the last successful one, and when the first of them failed.
  failures int not null default 0,
  failing_since timestamptz,
  -- The last delivery failed or took long.
  slow boolean not null default false,
  created_at timestamptz not null
);
create index webhooks_user on webhooks (user_id);

create table webhook_deliveries (
  id bigint generated always as identity primary key,
  webhook_id bigint not null references webhooks on delete cascade,
  -- The same at every attempt.
  message_id text not null,
  event text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  tries int not null default 0,
  -- Of the next attempt; null: none.
  due_at timestamptz,
  -- A server is sending it.
  leased_until timestamptz,
  tried_at timestamptz,
  took_ms int,
  -- HTTP status of the last answer; null: none.
  status smallint,
  answer text not null default '',
  failure text not null default ''
    check (failure in ('', 'private', 'name', 'tls', 'connection', 'timeout', 'disabled', 'backlog', 'interrupted')),
  created_at timestamptz not null
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at) where due_at is not null;
create index webhook_deliveries_leased on webhook_deliveries (leased_until) where leased_until is not null;
create index webhook_deliveries_latest on webhook_deliveries (webhook_id, id);
create index webhook_deliveries_created on webhook_deliveries (created_at);

-- One row: copies that were lost until then are in events.
create table lost_copies_reported (until timestamptz not null);
insert into lost_copies_reported (until) values (now());
create index replicas_lost on replicas (changed_at) where state = 'lost';
`
