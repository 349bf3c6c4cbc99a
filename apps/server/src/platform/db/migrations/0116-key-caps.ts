/** Caps of API keys: bytes that a key may have transferred, and coins that its orders may cost, in a calendar month (UTC). */
export const up = `
-- Null: no cap of traffic; no orders.
alter table api_keys add column traffic_cap bigint check (traffic_cap >= 0);
alter table api_keys add column spending_cap bigint check (spending_cap >= 0);

create table key_usage (
  key_id bigint not null references api_keys on delete cascade,
  -- The start of the month.
  month timestamptz not null,
  bytes bigint not null default 0,
  spent bigint not null default 0,
  primary key (key_id, month)
);

-- Transfers of keys with a cap. Until ends_at, what is reserved and not counted yet is not free.
create table key_transfers (
  trace_id text primary key,
  key_id bigint not null references api_keys on delete cascade,
  month timestamptz not null,
  reserved bigint not null,
  counted bigint not null default 0,
  ends_at timestamptz not null
);
create index key_transfers_open on key_transfers (key_id, month) where reserved > counted;
create index key_transfers_age on key_transfers (ends_at);

-- Orders that keys made, unless they ended unpaid.
create table key_orders (
  order_id text primary key,
  key_id bigint not null references api_keys on delete cascade,
  month timestamptz not null,
  cost bigint not null
);
create index key_orders_key on key_orders (key_id);
`
