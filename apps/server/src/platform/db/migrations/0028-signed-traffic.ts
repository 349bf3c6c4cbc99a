/** Signed traffic: clients sign what they received from each node, and traffic is counted per node (decision 21). */
export const up = `
-- The client's public key of this download; null: the client does not sign.
alter table traces add column receipt_key text;

-- received: the largest number of bytes that the client signed; signed: how many of them count; signatures: how many were verified.
alter table trace_sent
  add column received bigint not null default 0,
  add column signed bigint not null default 0,
  add column signatures int not null default 0;

-- Bytes of \`sent\` that clients signed, at most the quota of the month.
alter table usage_hours add column signed bigint not null default 0;

-- Traffic of each node, by the account that it counts for. No reference to nodes: traffic outlives a node that is gone.
create table node_traffic (
  node_id text not null,
  hour timestamptz not null,
  account_kind text not null check (account_kind in ('vip', 'free', 'visitor', 'anonymous', 'own')),
  sent bigint not null default 0,
  signed bigint not null default 0,
  primary key (node_id, hour, account_kind)
);
create index node_traffic_age on node_traffic (hour);
`
