/** Points exchange: TNT4 for credits at a partner. Amounts in units of the token. */
export const up = `
alter table payouts drop constraint payouts_kind_check;
alter table payouts add constraint payouts_kind_check
  check (kind in ('claims', 'redemptions', 'exchange_refunds', 'test_coins'));

-- The latest row is the rate of new quotes.
create table exchange_rates (
  id bigint generated always as identity primary key,
  -- In 1/10,000 US dollars.
  usd_per_tnt4 bigint not null check (usd_per_tnt4 > 0),
  credits_per_usd int not null check (credits_per_usd > 0),
  -- In percent.
  discount int not null check (discount between 0 and 99),
  by_user_id bigint references users on delete set null,
  created_at timestamptz not null
);

-- How far payments were read from the chain.
create table exchange_reads (
  chain_id text not null,
  token text not null,
  address text not null,
  -- Earlier payments do not belong to the exchange.
  from_height bigint not null,
  height bigint not null,
  block_time timestamptz not null,
  read_at timestamptz not null,
  -- When older blocks were read again.
  deep_at timestamptz not null,
  primary key (chain_id, token, address)
);

create table exchanges (
  no bigint generated always as identity primary key,
  -- The memo of its payment.
  id text not null unique,
  -- Null: the account was deleted, or nobody's wallet paid without naming an exchange.
  user_id bigint references users on delete set null,
  wallet text not null,
  -- The partner's.
  account text not null,
  account_name text not null,
  -- 0: a payment that names no exchange.
  points bigint not null check (points >= 0),
  units numeric(39, 0) not null,
  -- In 1/10,000 US dollars.
  usd bigint not null,
  usd_per_tnt4 bigint not null,
  credits_per_usd int not null,
  discount int not null,
  state text not null check (state in ('in_progress', 'incomplete', 'completed', 'failure')),
  reason text not null default '' check (reason in
    ('', 'memo', 'amount', 'late', 'double', 'ended', 'unpaid', 'cancelled', 'account', 'refused', 'partner', 'operator')),
  -- Why crediting was given up. Once set, the partner is never asked to credit again.
  given_up text not null default '' check (given_up in ('', 'partner', 'operator')),
  confirmed boolean not null default false,
  expires_at timestamptz not null,
  paid_at timestamptz,
  -- When the partner is asked next; null: nothing is waiting.
  due_at timestamptz,
  -- How often the partner was asked to credit; counted before it is asked.
  attempts int not null default 0,
  -- The partner's id of the credit.
  reference text not null default '',
  error text not null default '',
  -- The partner contradicts itself: nothing is done automatically.
  contradicted boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((state = 'incomplete') = (due_at is not null)),
  check (given_up = '' or state in ('incomplete', 'completed', 'failure')),
  check (reason = '' or state = 'failure')
);
create index exchanges_of_user on exchanges (user_id, no desc);
create index exchanges_due on exchanges (due_at) where state = 'incomplete';
create index exchanges_waiting on exchanges (expires_at) where state = 'in_progress';
create index exchanges_of_wallet on exchanges (wallet, no desc) where state = 'in_progress';

create table exchange_payments (
  id bigint generated always as identity primary key,
  exchange_no bigint not null references exchanges,
  hash text not null,
  -- The number of the transfer in its transaction.
  event int not null,
  height bigint not null,
  block_time timestamptz not null,
  payer text not null,
  units numeric(39, 0) not null check (units > 0),
  memo text not null,
  result text not null check (result in ('pending', 'credited', 'refund', 'kept')),
  reason text not null default '' check (reason in
    ('', 'memo', 'amount', 'late', 'double', 'ended', 'unpaid', 'cancelled', 'account', 'refused', 'partner', 'operator')),
  fee numeric(39, 0) not null default 0,
  created_at timestamptz not null,
  unique (hash, event),
  check (fee <= units)
);
create index exchange_payments_of_exchange on exchange_payments (exchange_no, id);
-- One payment is credited, at most.
create unique index exchange_payments_credited on exchange_payments (exchange_no) where result in ('pending', 'credited');

create table exchange_refunds (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  -- One refund, at most.
  payment_id bigint not null unique references exchange_payments,
  wallet text not null,
  amount numeric(39, 0) not null check (amount > 0),
  receipt_id bigint,
  -- reserved: taken; sent: a transaction is made; done: a block holds it.
  state text not null check (state in ('reserved', 'sent', 'done')),
  payment text references payouts,
  tries integer not null default 0,
  error text not null default '',
  due_at timestamptz not null,
  created_at timestamptz not null
);
create index exchange_refunds_due on exchange_refunds (due_at, id) where state = 'reserved';
create index exchange_refunds_by_payment on exchange_refunds (payment);

create table test_coins (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  wallet text not null,
  day date not null,
  -- Whole coins.
  amount bigint not null check (amount > 0),
  receipt_id bigint,
  state text not null check (state in ('reserved', 'sent', 'done')),
  payment text references payouts,
  tries integer not null default 0,
  error text not null default '',
  due_at timestamptz not null,
  created_at timestamptz not null,
  unique (user_id, day),
  unique (wallet, day)
);
create index test_coins_due on test_coins (due_at, id) where state = 'reserved';
create index test_coins_by_payment on test_coins (payment);
`
