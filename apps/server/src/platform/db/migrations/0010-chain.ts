/** Claims of test coins, and the transactions that pay them. */
export const up = `
-- A transaction that pays claims, written down before it is handed in: after a crash it is found by its hash, or sent again as it is.
create table claim_payments (
  -- Hex in capitals.
  hash text primary key,
  bytes bytea not null,
  -- No block above this height takes it.
  last_height bigint not null,
  -- void: refused, or its time is over; what it was to pay is paid by another.
  state text not null check (state in ('sent', 'done', 'void')),
  created_at timestamptz not null,
  ended_at timestamptz
);
create index claim_payments_open on claim_payments (created_at) where state = 'sent';

create table claims (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  wallet text not null,
  -- In the zone of the faucet.
  day date not null,
  -- Whole coins.
  amount bigint not null,
  network text not null,
  state text not null check (state in ('reserved', 'sent', 'done')),
  payment text references claim_payments,
  tries integer not null default 0,
  error text not null default '',
  -- Of a reserved claim: when it is to be paid, or tried again.
  due_at timestamptz not null,
  created_at timestamptz not null,
  constraint claims_one_a_day unique (wallet, day),
  constraint claims_one_a_day_of_account unique (user_id, day)
);
create index claims_of_user on claims (user_id, created_at desc, id desc);
create index claims_due on claims (due_at, id) where state = 'reserved';
create index claims_by_payment on claims (payment);

-- What was promised in an hour, in whole coins; and how often in a day to a network.
create table claim_hours (
  hour timestamptz primary key,
  given bigint not null
);
create table claim_networks (
  day date not null,
  network text not null,
  claims integer not null,
  primary key (day, network)
);
`
