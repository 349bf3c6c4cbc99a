/** Names, certificates and relays of nodes. */
export const up = `
-- Certificates of a label within the last day. No reference: a node that registers anew keeps its label.
create table node_certificates (
  label text primary key,
  issued_at timestamptz[] not null default '{}',
  last_at timestamptz
);
create index node_certificates_last_at on node_certificates (last_at);
create table relays (
  node_id text primary key references nodes (id) on delete cascade,
  address text not null,
  port int not null,
  seen_at timestamptz not null
);
-- Whether the address of the node is that of a relay.
alter table nodes add column relayed boolean not null default false;
`
