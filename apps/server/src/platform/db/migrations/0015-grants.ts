/** What was granted: to whom, for how much, and what has come of it. Nodes are believed within that. */
export const up = `
-- Upload tokens that were signed for one transfer.
create table upload_grants (
  id bigint generated always as identity primary key,
  trace_id text not null,
  account text not null,
  user_id bigint references users on delete cascade,
  -- Of the visitor who has no account.
  network text,
  kind text not null check (kind in ('file', 'folder')),
  -- The content it is bound to, if it is known.
  cid text,
  max_bytes bigint not null,
  -- The exact number, if it is known.
  size bigint,
  -- The nodes that may take the upload, and in the same order the names (jti) of their tokens.
  nodes text[] not null,
  tokens text[] not null,
  -- Bytes of the quota that are set aside until then; null: the upload has ended, and none are.
  reserved bigint not null,
  open_until timestamptz,
  created_at timestamptz not null
);
create index upload_grants_trace on upload_grants (trace_id);
create index upload_grants_user on upload_grants (user_id, open_until) where open_until is not null and user_id is not null;
create index upload_grants_network on upload_grants (network, open_until) where open_until is not null and network is not null;
create index upload_grants_age on upload_grants (created_at);

-- Traces of earlier releases, whose tokens nobody noted, keep the false that they get here.
alter table traces add column granted boolean not null default false;

-- Whether an invited node signed: the kind of a node stands in its id.
alter table receipts add column invited boolean not null generated always as (node_id like 'c\\_%') stored;

-- While only edges have signed for a content, and one account alone sent it: that account ('temp' for visitors), and the edges.
alter table contents add column sole text;
alter table contents add column sole_nodes text[] not null default '{}';

-- The only nodes that the account may read it from; null: any. Nobody but these has seen the account send the bytes.
alter table assets add column only_from text[];
alter table trashed_assets add column only_from text[];
alter table temp_files add column only_from text[];

-- Which nodes a download was offered, and what each has reported of it.
alter table traces add column offered text[];
create table trace_sent (
  trace_id text not null references traces on delete cascade,
  node_id text not null,
  bytes bigint not null,
  primary key (trace_id, node_id)
);
`
