/** What the network does over time, for everybody to see; and what people write to its operators. Nothing here names a caller. */
export const up = `
-- When nodes were there: a row for each stretch, not for each heartbeat. A stretch without an end lasts.
create table online_spans (
  node_id text not null references nodes on delete cascade,
  began timestamptz not null,
  ended timestamptz,
  primary key (node_id, began)
);
create index online_spans_ended on online_spans (ended) where ended is not null;

-- A node is there from the first thing it says to the last one; that it is silent is noticed later.
create function node_presence() returns trigger language plpgsql as $$
begin
  if new.status = 'offline' then
    update online_spans set ended = greatest(began, coalesce(old.seen_at, began)) where node_id = new.id and ended is null;
  elsif not exists (select 1 from online_spans where node_id = new.id and ended is null) then
    insert into online_spans (node_id, began) values (new.id, coalesce(new.seen_at, new.created_at))
      on conflict (node_id, began) do update set ended = null;
  end if;
  return null;
end $$;
create trigger node_presence_begins after insert on nodes for each row when (new.status <> 'offline') execute function node_presence();
create trigger node_presence_changes after update of status on nodes for each row
  when ((old.status = 'offline') <> (new.status = 'offline')) execute function node_presence();
insert into online_spans (node_id, began)
  select id, coalesce(arrived_at, created_at) from nodes where status <> 'offline';

-- Bytes that moved, between nodes or between a node and somebody. Neither accounts nor contents.
create table transfers (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('upload', 'download', 'replica')),
  size bigint not null,
  from_node text,
  to_node text,
  at timestamptz not null
);
create index transfers_at on transfers (at) include (size);

create index audits_node on audits (node_id, created_at);

create table leads (
  id bigint generated always as identity primary key,
  kind text not null,
  name text not null,
  email text not null,
  organisation text not null,
  text text not null,
  lang text not null,
  -- Where it came from, for a day: so many requests a network may send.
  network text,
  created_at timestamptz not null
);
create index leads_created on leads (created_at);

create table event_days (
  day date not null,
  name text not null,
  source text not null,
  medium text not null,
  count bigint not null,
  primary key (day, name, source, medium)
);
`
