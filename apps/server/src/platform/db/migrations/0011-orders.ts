/** Container orders, what was asked to be paid for them, what happened to them, and what their owners were told. */
export const up = `
create table orders (
  seq bigint generated always as identity primary key,
  -- Also the order's name on the chain.
  id text not null unique,
  user_id bigint not null references users,
  -- The wallet that pays, as it was bound when the order was made.
  payer text not null,
  lang text not null,
  cluster text not null check (cluster in ('distributed', 'centralized')),
  cpu int not null,
  ram int not null,
  storage int not null,
  -- Hours in total, and those it was bought with.
  duration int not null check (duration > 0),
  bought int not null,
  -- Whole coins: what was paid, or is to be paid.
  price bigint not null check (price >= 0),
  status smallint not null check (status between 0 and 9),
  workspace_id text not null,
  -- On the cluster: nothing; there; stopped and kept; another order's; removed.
  workspace text not null default 'none' check (workspace in ('none', 'there', 'kept', 'moved', 'gone')),
  -- On the chain: nothing of this order; held by the contract; gone where it belongs.
  money text not null default 'none' check (money in ('none', 'held', 'settled')),
  -- Why an order whose money is held ends: its owner, its time, its cluster; or it was not paid as asked for.
  ending text check (ending in ('terminated', 'expired', 'failed', 'returned')),
  -- Withdrawn by its owner, not by time.
  cancelled boolean not null default false,
  pay_hash text not null default '',
  release_hash text not null default '',
  -- No block above this height takes the release that was signed last.
  release_height bigint,
  -- In the token's smallest unit, once settled.
  refund numeric(39),
  replaces text not null default '',
  replaced_by text not null default '',
  -- The expired order whose kept workspace this one takes up again.
  restores text not null default '',
  -- Of the chain: the block of the payment.
  start_height bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  pay_until timestamptz,
  started_at timestamptz,
  expired_at timestamptz not null,
  kept_until timestamptz,
  auto_renew boolean not null default false,
  auto_cap bigint not null default 0,
  auto_spent bigint not null default 0,
  -- When it is to be looked at next; null: never again.
  due_at timestamptz,
  -- Somebody is at it until then.
  held_until timestamptz,
  -- Failures in a row of the step that comes next.
  tries int not null default 0
);
create index orders_of_user on orders (user_id, status, seq desc);
create index orders_due on orders (due_at) where due_at is not null;
-- How many orders an account has in each status: the record shows them on every page.
create table order_counts (
  user_id bigint not null references users,
  status smallint not null,
  orders bigint not null,
  primary key (user_id, status)
);
create function orders_count() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    update order_counts set orders = orders - 1 where user_id = old.user_id and status = old.status;
  end if;
  insert into order_counts (user_id, status, orders) values (new.user_id, new.status, 1)
    on conflict (user_id, status) do update set orders = order_counts.orders + 1;
  return null;
end $$;
create trigger orders_counted after insert on orders for each row execute function orders_count();
create trigger orders_recounted after update of status on orders for each row when (old.status <> new.status) execute function orders_count();
-- At most one upgrade of an order is under way.
create unique index orders_one_upgrade on orders (replaces) where replaces <> '' and status = 6;

-- What a wallet was asked to sign; the same order, kind and hours are the same payment.
create table order_payments (
  id bigint generated always as identity primary key,
  order_id text not null references orders (id),
  kind text not null check (kind in ('create', 'upgrade', 'renewal')),
  state text not null check (state in ('open', 'submitted', 'confirmed', 'failed', 'mismatch', 'expired')),
  payer text not null,
  cost bigint not null,
  amount numeric(39) not null,
  -- Hours in total after it.
  duration int not null,
  message jsonb not null,
  from_height bigint not null,
  chain_id text not null,
  -- A hint until the payment is confirmed.
  hash text not null default '',
  -- A name of what went wrong.
  problem text not null default '',
  -- By the network, from an allowance of the wallet.
  auto boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz
);
create index order_payments_order on order_payments (order_id, id desc);
-- A transaction pays for one thing only.
create unique index order_payments_transaction on order_payments (chain_id, hash) where state = 'confirmed';

create table order_events (
  id bigint generated always as identity primary key,
  order_id text not null references orders (id),
  event text not null,
  at timestamptz not null,
  hash text not null default '',
  -- A name of what went wrong, or a figure.
  fact text not null default ''
);
create index order_events_order on order_events (order_id, id);

create table order_notices (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  order_id text not null references orders (id),
  kind text not null,
  -- Of which end it tells, so that a longer order is told of again.
  about text not null default '',
  fact text not null default '',
  created_at timestamptz not null,
  read_at timestamptz,
  constraint order_notices_once unique (order_id, kind, about)
);
create index order_notices_user on order_notices (user_id, id desc);
create index order_notices_unread on order_notices (user_id) where read_at is null;
`
