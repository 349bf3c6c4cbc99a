/** Automatic renewals are checked before they are due; orders that restore a kept workspace are looked up by it. */
export const up = `
-- When to check next; null: now. And why the next renewal would fail, if it would.
alter table orders add column auto_check_at timestamptz, add column auto_problem text not null default ''
  check (auto_problem in ('', 'cap', 'allowance', 'funds', 'longest'));
create index orders_restoring on orders (restores) where restores <> '';
`
