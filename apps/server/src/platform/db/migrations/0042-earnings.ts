/** Hours of nodes, and what devices earn by them (decision 26). */
export const up = `
-- Whether the result counts for the node, as for its standing.
alter table audits add column counted boolean not null default false;
create index audits_counted on audits (node_id, done_at) include (state) where counted;

-- Where others reached it: an IPv4 address, or the /64 of an IPv6 address; where it calls from while nobody has reached it.
alter table nodes add column address text not null default '';
update nodes set address = coalesce(reached_ip, ip);
-- What its owner calls it, instead of the name that it gives itself.
alter table nodes add column owner_name text;

-- A span ends when the node moves to another address, and another one begins.
alter table online_spans add column address text not null default '';
update online_spans s set address = n.address from nodes n where n.id = s.node_id and s.ended is null;
create index online_spans_address on online_spans (address, began);

create or replace function node_presence() returns trigger language plpgsql as $$
begin
  if new.status = 'offline' then
    update online_spans set ended = greatest(began, coalesce(old.seen_at, began)) where node_id = new.id and ended is null;
  elsif not exists (select 1 from online_spans where node_id = new.id and ended is null) then
    insert into online_spans (node_id, began, address) values (new.id, coalesce(new.seen_at, new.created_at), new.address)
      on conflict (node_id, began) do update set ended = null, address = excluded.address;
  else
    update online_spans set ended = greatest(began, coalesce(new.seen_at, began))
      where node_id = new.id and ended is null and address <> new.address;
    if found then
      insert into online_spans (node_id, began, address)
        select new.id, max(ended), new.address from online_spans where node_id = new.id
        on conflict (node_id, began) do update set ended = null, address = excluded.address;
    end if;
  end if;
  return null;
end $$;
create trigger node_presence_moves after update of address on nodes for each row
  when (old.address <> new.address and new.status <> 'offline') execute function node_presence();

-- Hours that are closed, or being closed: the nodes up to \`after\` are done.
create table earning_hours (
  hour timestamptz primary key,
  paid_share int not null,
  after text not null default '',
  closed_at timestamptz
);

-- The input of the formula and its result. No reference to nodes: earnings outlive a node that is gone.
create table node_hours (
  node_id text not null,
  hour timestamptz not null,
  -- The owner when the hour was closed.
  user_id bigint references users on delete set null,
  trusted boolean not null,
  passed int not null,
  failed int not null,
  audited timestamptz,
  held bigint not null,
  online int not null,
  crowd int not null,
  signed bigint not null,
  paid_share int not null,
  version int not null,
  -- Millionths of a point.
  traffic bigint not null,
  storage bigint not null,
  receipt_id bigint not null,
  primary key (node_id, hour)
);
create index node_hours_age on node_hours (hour);

-- What a device earned for an account on a day (UTC), in millionths of a point. Kept for ever: the points of an account are their sum.
create table device_days (
  user_id bigint not null references users on delete cascade,
  day date not null,
  node_id text not null,
  traffic bigint not null,
  storage bigint not null,
  -- Of the whole day; null: it is not over.
  receipt_id bigint,
  primary key (user_id, day, node_id)
);
create index device_days_sums on device_days (user_id) include (traffic, storage);
create index device_days_open on device_days (day, node_id) where receipt_id is null;
create index device_days_of_node on device_days (node_id, day);
create index device_days_age on device_days (day);

create table earning_disputes (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete set null,
  node_id text not null,
  day date not null,
  -- As the network states it, and as the owner computed it from the receipts.
  stated_traffic bigint not null,
  stated_storage bigint not null,
  computed_traffic bigint not null,
  computed_storage bigint not null,
  hours jsonb not null,
  text text not null,
  lang text not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  closed_by text not null default '',
  note text not null default ''
);
create unique index earning_disputes_open on earning_disputes (user_id, node_id, day) where closed_at is null;
create index earning_disputes_of_user on earning_disputes (user_id, id);
`
