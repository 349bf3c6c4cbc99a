/** Delivery acceleration: what is accelerated, where extra copies go, and what readers measured. */
export const up = `
create table accelerations (
  id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- One of the two: an asset, or a folder with everything in it.
  cid text,
  folder_id bigint,
  -- Countries where the owner expects readers.
  areas text[] not null default '{}',
  -- Where the owner was; empty: not known.
  owner_country text not null default '',
  started_at timestamptz not null,
  -- The plan has ended: the extra copies stay until then.
  ends_at timestamptz,
  -- Turned off: the next review removes the extra copies and this row.
  off_at timestamptz,
  -- The next review of the account.
  check_at timestamptz not null,
  check ((cid is null) <> (folder_id is null))
);
create unique index accelerations_asset on accelerations (user_id, cid) where cid is not null;
create unique index accelerations_folder on accelerations (user_id, folder_id) where folder_id is not null;
create index accelerations_user on accelerations (user_id);
create index accelerations_check on accelerations (check_at);

create table near_areas (
  user_id bigint not null references users,
  cid text not null,
  -- Of the copies, and of the readers that they serve.
  country text not null,
  readers text[] not null,
  cause text not null check (cause in ('reads', 'expected', 'account')),
  since timestamptz not null,
  -- A copy is stored there since then.
  ready_at timestamptz,
  -- Bytes that nodes fetched from each other for these copies.
  copied bigint not null default 0,
  primary key (user_id, cid, country)
);
create index near_areas_content on near_areas (cid);

-- Readers of an account's file in a country on a day, and what they measured: counts per range of values.
create table area_reads (
  user_id bigint not null references users,
  cid text not null,
  country text not null,
  day date not null,
  accelerated boolean not null,
  reads int not null default 0,
  first_bytes int[] not null,
  rates int[] not null,
  primary key (user_id, cid, country, day, accelerated)
);
create index area_reads_day on area_reads (day);

-- Pseudonyms of client networks that have read a file that day: each counts once.
create table area_readers (
  user_id bigint not null references users,
  cid text not null,
  day date not null,
  reader text not null,
  measured boolean not null default false,
  primary key (user_id, cid, day, reader)
);
create index area_readers_day on area_readers (day);

create table first_bytes (
  country text not null,
  node_id text not null references nodes on delete cascade,
  slot smallint not null,
  ms int not null,
  measured_at timestamptz not null,
  primary key (country, node_id, slot)
);
create index first_bytes_node on first_bytes (node_id);
create index first_bytes_measured on first_bytes (measured_at);
`
