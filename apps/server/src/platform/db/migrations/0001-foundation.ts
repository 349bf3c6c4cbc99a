/** Accounts, folders, assets, contents and their replicas, nodes, transfers, shares, mail. Times are given by the caller's clock. */
export const up = `
create table users (
  id bigint generated always as identity primary key,
  uid text not null unique,
  email text unique,
  password_hash text,
  vip boolean not null default false,
  role text not null default 'user' check (role in ('user', 'operator')),
  storage_quota bigint,
  outflow_quota bigint,
  used_bytes bigint not null default 0 check (used_bytes >= 0),
  reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
  asset_count bigint not null default 0,
  created_at timestamptz not null
);

create table sessions (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  chain_until timestamptz not null,
  revoked_at timestamptz,
  ip text not null,
  agent text not null
);
create index sessions_user on sessions (user_id);

create table codes (
  purpose int not null,
  address text not null,
  code_hash bytea not null,
  tries int not null default 0,
  -- When another code may be asked for.
  resend_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (purpose, address)
);
create table code_log (
  id bigint generated always as identity primary key,
  address text not null,
  ip text not null,
  sent_at timestamptz not null
);
create index code_log_address on code_log (address, sent_at);
create index code_log_ip on code_log (ip, sent_at);

-- Failed tries of something that can be guessed: passwords of accounts and of shares.
create table attempts (
  kind text not null,
  subject text not null,
  failed int not null,
  since timestamptz not null,
  locked_until timestamptz,
  primary key (kind, subject)
);

create table api_keys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  key_hash bytea not null unique,
  key_start text not null,
  secret_hash bytea not null,
  kind text not null check (kind in ('admin', 'normal')),
  perms text[] not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint api_keys_name unique (user_id, name)
);

create table mails (
  id bigint generated always as identity primary key,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  error text
);

create table nodes (
  id text primary key,
  public_key text not null unique,
  kind text not null check (kind in ('edge', 'candidate', 'validator')),
  name text not null,
  area_id text not null,
  country text generated always as (split_part(area_id, '-', 2)) stored,
  url text not null,
  ip text not null,
  latitude double precision not null,
  longitude double precision not null,
  version text not null,
  cpu_cores int not null,
  memory bigint not null,
  capacity bigint not null,
  used bigint not null default 0,
  free bigint not null default 0,
  load real not null default 0,
  send_rate bigint not null default 0,
  receive_rate bigint not null default 0,
  status text not null default 'offline' check (status in ('online', 'offline', 'abnormal')),
  reachable boolean not null default false,
  reachable_at timestamptz,
  seen_at timestamptz,
  -- Share of good transfers as clients reported them, 0..1, moving average.
  quality real not null default 1,
  -- Latest audits, newest last: 1 passed, 0 failed.
  audits smallint[] not null default '{}',
  -- When the node was last given to an auditor, last found missing, last came (back) online.
  audited_at timestamptz,
  offline_at timestamptz,
  -- When its replicas were taken for lost; null while they count.
  lost_at timestamptz,
  arrived_at timestamptz,
  -- Unix ms that the last registration was signed for: an earlier signature is not taken again.
  proved_at bigint not null default 0,
  created_at timestamptz not null
);
create index nodes_status on nodes (status);

create table contents (
  cid text primary key,
  hash text not null,
  kind text not null check (kind in ('file', 'folder')),
  size bigint not null,
  blocks bigint not null,
  created_at timestamptz not null,
  -- When the scheduler looks at its replicas next; null: nothing to do until something changes.
  check_at timestamptz,
  -- When the scheduler last looked: what it could not place better then is looked at again when a node arrives.
  placed_at timestamptz not null default '-infinity',
  wanted int not null default 0,
  -- Replicas in the state stored, counted by a trigger.
  stored int not null default 0
);
create index contents_check on contents (check_at) where check_at is not null;
create index contents_short on contents (placed_at) where stored < wanted or wanted < 50;
create index contents_size on contents (size);

create table replicas (
  cid text not null references contents on delete cascade,
  node_id text not null references nodes on delete cascade,
  state text not null check (state in ('wanted', 'pulling', 'stored', 'lost', 'removed')),
  tries int not null default 0,
  error text not null default '',
  -- A pull that is not renewed until then is wanted again.
  lease_until timestamptz,
  retry_at timestamptz,
  -- Lost because an audit failed, though the node says that it holds it; tries counts the audits that failed in a row.
  doubted boolean not null default false,
  changed_at timestamptz not null,
  primary key (cid, node_id)
);
create index replicas_work on replicas (node_id, changed_at) where state in ('wanted', 'removed');
create index replicas_leased on replicas (lease_until) where state = 'pulling';
create index replicas_node on replicas (node_id, cid);
create index replicas_doubted on replicas (node_id) where doubted;
create index replicas_failed on replicas (changed_at) where state = 'lost' and tries > 0;

create function replicas_count() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.state = 'stored' and (tg_op = 'DELETE' or new.state <> 'stored') then
    update contents set stored = stored - 1 where cid = old.cid;
  end if;
  if tg_op <> 'DELETE' and new.state = 'stored' and (tg_op = 'INSERT' or old.state <> 'stored') then
    update contents set stored = stored + 1 where cid = new.cid;
  end if;
  return null;
end $$;
create trigger replicas_count after insert or delete or update of state on replicas for each row execute function replicas_count();

-- What a node says it holds, page by page, until the last page is there.
create unlogged table inventories (
  node_id text not null,
  cid text not null,
  begun_at timestamptz not null,
  primary key (node_id, cid)
);

create table folders (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  parent_id bigint not null default 0,
  name text not null,
  share_status int not null default 0,
  visits int not null default 0,
  created_at timestamptz not null
);
create index folders_parent on folders (user_id, parent_id, id desc);

-- Of each folder (0 is the root): the next place in its order, and what lies directly in it.
create table folder_totals (
  user_id bigint not null references users on delete cascade,
  folder_id bigint not null,
  next_seq bigint not null default 0,
  files bigint not null default 0,
  bytes bigint not null default 0,
  primary key (user_id, folder_id)
);
-- How many assets each run of 512 places holds: a page of any depth is found by adding up a few of these.
create table folder_runs (
  user_id bigint not null references users on delete cascade,
  folder_id bigint not null,
  run bigint not null,
  files int not null,
  primary key (user_id, folder_id, run)
);

create table assets (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  folder_id bigint not null default 0,
  seq bigint not null default 0,
  cid text not null references contents,
  kind text not null check (kind in ('file', 'folder')),
  name text not null,
  size bigint not null,
  md5 text,
  encrypted boolean not null default false,
  -- Countries as the interface names areas; empty: everywhere.
  areas text[] not null default '{}',
  share_status int not null default 0,
  visits int not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint assets_once unique (user_id, cid)
);
create index assets_page on assets (user_id, folder_id, seq desc);
create index assets_cid on assets (cid);
create index assets_md5 on assets (md5) where md5 is not null;
create index assets_expiry on assets (expires_at);

-- Room kept for an upload that create_asset announced before its bytes were stored (archives of folders).
create table reservations (
  user_id bigint not null references users on delete cascade,
  cid text not null,
  folder_id bigint not null,
  kind text not null,
  name text not null,
  size bigint not null,
  md5 text,
  encrypted boolean not null,
  areas text[] not null,
  trace_id text not null,
  created_at timestamptz not null,
  primary key (user_id, cid)
);
create index reservations_age on reservations (created_at);

create function assets_place() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' or new.folder_id <> old.folder_id then
    insert into folder_totals as t (user_id, folder_id, next_seq, files, bytes) values (new.user_id, new.folder_id, 1, 0, 0)
      on conflict (user_id, folder_id) do update set next_seq = t.next_seq + 1
      returning next_seq - 1 into new.seq;
  end if;
  return new;
end $$;
create trigger assets_place before insert or update of folder_id on assets for each row execute function assets_place();

create function assets_count() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.folder_id = old.folder_id and new.size = old.size then return null; end if;
    update folder_totals set files = files - 1, bytes = bytes - old.size where user_id = old.user_id and folder_id = old.folder_id;
    update folder_runs set files = files - 1 where user_id = old.user_id and folder_id = old.folder_id and run = old.seq / 512;
    update users set used_bytes = used_bytes - old.size, asset_count = asset_count - 1 where id = old.user_id;
  end if;
  insert into folder_totals as t (user_id, folder_id, files, bytes) values (new.user_id, new.folder_id, 1, new.size)
    on conflict (user_id, folder_id) do update set files = t.files + 1, bytes = t.bytes + new.size;
  insert into folder_runs as r (user_id, folder_id, run, files) values (new.user_id, new.folder_id, new.seq / 512, 1)
    on conflict (user_id, folder_id, run) do update set files = r.files + 1;
  update users set used_bytes = used_bytes + new.size, asset_count = asset_count + 1 where id = new.user_id;
  return null;
end $$;
create trigger assets_count after insert or update of folder_id, size on assets for each row execute function assets_count();

-- A folder of many files goes in one statement: counted together, because thousands of updates of one row grow slow.
create function assets_uncount() returns trigger language plpgsql as $$
begin
  update folder_totals t set files = t.files - g.files, bytes = t.bytes - g.bytes
    from (select user_id, folder_id, count(*) as files, sum(size) as bytes from gone group by user_id, folder_id) g
    where t.user_id = g.user_id and t.folder_id = g.folder_id;
  update folder_runs r set files = r.files - g.files
    from (select user_id, folder_id, seq / 512 as run, count(*) as files from gone group by user_id, folder_id, seq / 512) g
    where r.user_id = g.user_id and r.folder_id = g.folder_id and r.run = g.run;
  update users u set used_bytes = u.used_bytes - g.bytes, asset_count = u.asset_count - g.files
    from (select user_id, count(*) as files, sum(size) as bytes from gone group by user_id) g where u.id = g.user_id;
  return null;
end $$;
create trigger assets_uncount after delete on assets referencing old table as gone for each statement execute function assets_uncount();

create function reservations_count() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then update users set reserved_bytes = reserved_bytes - old.size where id = old.user_id; end if;
  if tg_op <> 'DELETE' then update users set reserved_bytes = reserved_bytes + new.size where id = new.user_id; end if;
  return null;
end $$;
create trigger reservations_count after insert or delete or update of size on reservations for each row execute function reservations_count();

-- What nodes have signed for: who may put which content into an account without sending it again.
create table receipts (
  id text primary key,
  account text not null,
  cid text not null,
  kind text not null,
  size bigint not null,
  blocks bigint not null,
  node_id text not null,
  trace_id text not null,
  received_at timestamptz not null,
  -- Its content was given up. It stays on record: shown again, it would say that a node holds what it has deleted.
  spent boolean not null default false
);
create index receipts_account on receipts (account, cid) where not spent;
create index receipts_cid on receipts (cid) where not spent;
create index receipts_age on receipts (received_at);

create table proofs (
  id text primary key,
  user_id bigint not null references users on delete cascade,
  cid text not null,
  start_at bigint not null,
  length int not null,
  created_at timestamptz not null
);

create table temp_files (
  cid text primary key,
  -- False until a node has signed for the bytes; only stored ones are shown to anybody.
  stored boolean not null,
  name text not null,
  size bigint not null,
  kind text not null,
  areas text[] not null,
  encrypted boolean not null,
  shares int not null default 0,
  downloads int not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index temp_files_expiry on temp_files (expires_at);

create table links (
  id text primary key,
  user_id bigint not null references users on delete cascade,
  -- The CID of an asset or the number of a folder, as text.
  target text not null,
  kind text not null check (kind in ('file', 'folder', 'group')),
  short_pass text not null default '',
  expires_at timestamptz,
  areas text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index links_target on links (user_id, target);
create index links_cid on links (target);

create table visits (
  user_id bigint not null references users on delete cascade,
  target text not null,
  visitor bytea not null,
  first_at timestamptz not null,
  primary key (user_id, target, visitor)
);

create table traces (
  id text primary key,
  user_id bigint references users on delete cascade,
  account text not null,
  kind text not null check (kind in ('upload', 'download')),
  cid text not null default '',
  name text not null default '',
  state int not null default 0,
  rate bigint not null default 0,
  cost_ms bigint not null default 0,
  total_size bigint not null default 0,
  first_byte_time bigint not null default 0,
  available_bandwidth bigint not null default 0,
  node_id text not null default '',
  log text not null default '',
  details jsonb not null default '[]',
  node_bytes bigint not null default 0,
  created_at timestamptz not null,
  closed_at timestamptz
);
create index traces_user on traces (user_id, created_at desc);
create index traces_age on traces (created_at);

create table served_batches (
  node_id text not null,
  batch text not null,
  received_at timestamptz not null,
  primary key (node_id, batch)
);

create table usage_hours (
  user_id bigint not null references users on delete cascade,
  hour timestamptz not null,
  sent bigint not null default 0,
  received bigint not null default 0,
  downloads int not null default 0,
  peak bigint not null default 0,
  -- Bytes stored when the hour's last change was made; null: no change in this hour.
  stored bigint,
  primary key (user_id, hour)
);

create table audits (
  id text primary key,
  cid text not null,
  node_id text not null references nodes on delete cascade,
  validator_id text not null,
  position double precision not null,
  state text not null check (state in ('open', 'passed', 'failed', 'late')),
  given_at timestamptz,
  created_at timestamptz not null,
  done_at timestamptz,
  error text not null default ''
);
create index audits_open on audits (validator_id, created_at) where state = 'open';
create index audits_age on audits (created_at);
`
