/** Receipts: the queue, the log of their hashes, the anchors of the log, and the receipts of what an account sees. */
export const up = `
-- What was stated and is not in the log yet.
create table log_queue (
  id bigint generated always as identity primary key,
  -- json, not jsonb: the order of the claims is kept.
  claims json not null,
  issued_at timestamptz not null
);

-- One row per log; the log has another name if the secret is another one.
create table log_state (
  log text primary key,
  size bigint not null,
  root bytea not null,
  updated_at timestamptz not null
);
-- Hashes of up to 256 nodes of the tree; level and number as in C2SP tlog-tiles.
create table log_tiles (
  log text not null references log_state,
  level smallint not null,
  number bigint not null,
  hashes bytea not null,
  primary key (log, level, number)
);
-- Claims of up to 256 receipts, compressed.
create table log_bundles (
  log text not null references log_state,
  number bigint not null,
  -- From the smallest to the largest id in it; transactions end in any order, so bundles overlap.
  ids int8range not null,
  claims bytea not null,
  primary key (log, number)
);
create index log_bundles_ids on log_bundles using gist (ids);
-- Hashes and compressed bytes cannot be compressed.
alter table log_tiles alter column hashes set storage external;
alter table log_bundles alter column claims set storage external;

-- Transactions that anchor the log. One at a time is under way.
create table log_anchors (
  hash text primary key,
  log text not null references log_state,
  size bigint not null,
  root bytea not null,
  state text not null check (state in ('sent', 'done', 'void')),
  bytes bytea not null,
  last_height bigint not null,
  chain_id text not null,
  -- Number of the signer's account there.
  account bigint not null,
  -- Of its block.
  height bigint,
  created_at timestamptz not null,
  ended_at timestamptz
);
create unique index log_anchors_sent on log_anchors (log) where state = 'sent';
create index log_anchors_done on log_anchors (log, size) where state = 'done';

alter table assets add column receipt_id bigint;
alter table trashed_assets add column receipt_id bigint;
alter table order_payments add column receipt_id bigint;
alter table orders add column refund_receipt_id bigint;
alter table claims add column receipt_id bigint;
alter table redemptions add column receipt_id bigint;
`
