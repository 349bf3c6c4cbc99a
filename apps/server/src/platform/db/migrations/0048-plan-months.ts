/** Months of plans, former owners of devices, and traffic that does not earn because of the node (decision 26). */
export const up = `
-- When the VIP plan began: quotas are counted in months from it. plan_paid_until: of a plan that ended, the end of its last month.
alter table users
  add column plan_since timestamptz,
  add column plan_paid_until timestamptz;
update users set plan_since = date_trunc('month', now(), 'UTC') where vip;

-- Accounts that owned a node, and until when. No reference to nodes: it outlives a node that is gone.
create table former_owners (
  node_id text not null,
  user_id bigint not null references users on delete cascade,
  until timestamptz not null,
  primary key (node_id, user_id)
);
create index former_owners_until on former_owners (until);
create index former_owners_user on former_owners (user_id);

-- A reader paid, but when the download was opened the node was unowned or unvetted, or in that hour it failed an audit or had passed none.
alter table node_traffic drop constraint node_traffic_account_kind_check;
alter table node_traffic add constraint node_traffic_account_kind_check
  check (account_kind in ('vip', 'free', 'visitor', 'anonymous', 'own', 'unowned', 'unvetted', 'failed', 'unaudited'));
`
