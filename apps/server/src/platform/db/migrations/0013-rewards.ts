/** Points of accounts, what they are redeemed for; and one book for all transactions that pay what was promised. */
export const up = `
alter table claim_payments rename to payouts;
alter index claim_payments_open rename to payouts_open;
-- The table of what it pays.
alter table payouts add column kind text not null default 'claims' check (kind in ('claims', 'redemptions'));
alter table payouts alter column kind drop default;

create table point_entries (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  points bigint not null check (points > 0),
  kind text not null check (kind in ('granted')),
  reason text not null,
  -- The operator who gave them.
  by_user_id bigint references users on delete set null,
  created_at timestamptz not null
);
create index point_entries_of_user on point_entries (user_id, id desc);

create table redemptions (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  wallet text not null,
  points bigint not null check (points > 0),
  -- Whole coins.
  amount bigint not null check (amount > 0),
  -- reserved: taken; sent: a transaction is made; done: a block holds it.
  state text not null check (state in ('reserved', 'sent', 'done')),
  payment text references payouts,
  tries integer not null default 0,
  error text not null default '',
  -- Of a reserved one: when it is to be paid, or tried again.
  due_at timestamptz not null,
  created_at timestamptz not null
);
create index redemptions_of_user on redemptions (user_id, id desc);
create index redemptions_due on redemptions (due_at, id) where state = 'reserved';
create index redemptions_by_payment on redemptions (payment);
`
