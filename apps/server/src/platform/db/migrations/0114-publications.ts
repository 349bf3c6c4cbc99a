/** Files and folders that accounts publish at the IPFS gateways, and the blocks that can be reached from each. */
export const up = `
create table publications (
  id bigint generated always as identity primary key,
  user_id bigint not null references users on delete cascade,
  -- Ends when the entry is deleted, also into the trash.
  asset_id bigint not null unique references assets on delete cascade,
  -- Ends when the entry gets other content.
  cid text not null,
  state text not null default 'preparing' check (state in ('preparing', 'ready', 'failed')),
  reason text not null default '' check (reason in ('', 'tooManyBlocks', 'unreadable')),
  -- Rows of publication_blocks, once it is ready.
  blocks int not null default 0,
  created_at timestamptz not null,
  -- While its blocks are read: nobody else reads them until then.
  next_at timestamptz not null,
  tries int not null default 0
);
create index publications_page on publications (user_id, id desc);
create index publications_due on publications (next_at) where state = 'preparing';

-- No foreign key: the rows of a publication that ended are deleted in batches.
create table publication_blocks (
  -- The first 16 bytes of the SHA-256 of a block.
  digest bytea not null,
  publication_id bigint not null,
  -- An inner node (dag-pb), not a leaf.
  inner_node boolean not null,
  primary key (digest, publication_id)
);
create index publication_blocks_of on publication_blocks (publication_id);

create function end_publication() returns trigger language plpgsql as $$
begin
  delete from publications where asset_id = new.id;
  return null;
end $$;
create trigger assets_end_publication after update of cid on assets for each row
  when (old.cid is distinct from new.cid) execute function end_publication();
`
