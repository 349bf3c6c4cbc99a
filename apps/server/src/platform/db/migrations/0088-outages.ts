/** Outages of workspaces, and what is paid back for them. */
export const up = `
create table workspace_outages (
  id bigint generated always as identity primary key,
  -- Without a reference: it stays when the workspace is deleted.
  workspace_id text not null,
  cause text not null check (cause in ('cluster', 'lost')),
  from_at timestamptz not null,
  -- Of the last failed probe; of an outage that is over, of the first successful one after it.
  to_at timestamptz not null check (to_at >= from_at),
  probes int not null default 1,
  -- counted: its credit was computed.
  state text not null default 'open' check (state in ('open', 'over', 'counted'))
);
create unique index workspace_outages_open on workspace_outages (workspace_id) where state = 'open';
create index workspace_outages_over on workspace_outages (id) where state = 'over';
create index workspace_outages_of on workspace_outages (workspace_id, to_at);

alter table payouts drop constraint payouts_kind_check, add constraint payouts_kind_check
  check (kind in ('claims', 'redemptions', 'exchange_refunds', 'test_coins', 'order_credits'));

create table order_credits (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  order_id text not null references orders (id),
  outage_id bigint not null,
  cause text not null check (cause in ('cluster', 'lost')),
  -- The part of the outage within the hours of the order.
  from_at timestamptz not null,
  to_at timestamptz not null check (to_at > from_at),
  wallet text not null,
  -- In the smallest unit of the token.
  amount numeric(39, 0) not null check (amount > 0),
  receipt_id bigint,
  -- reserved: owed; sent: a transaction is made; done: a block holds it.
  state text not null check (state in ('reserved', 'sent', 'done')),
  payment text references payouts,
  tries integer not null default 0,
  error text not null default '',
  due_at timestamptz not null,
  created_at timestamptz not null,
  -- Once, even if an outage was counted twice.
  unique (order_id, outage_id)
);
create index order_credits_due on order_credits (due_at, id) where state = 'reserved';
create index order_credits_by_payment on order_credits (payment);
`
