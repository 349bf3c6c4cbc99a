/** Nodes behind relays that are also reached directly. */
export const up = `
-- The https origin at which the server reached the node itself, beside nodes.url; empty: none.
alter table nodes add column direct_url text not null default '';
-- When that was last tried.
alter table nodes add column direct_at timestamptz;
-- Its https origins at the relays that were offered to it, best first.
alter table nodes add column relay_urls text[] not null default '{}';
create index nodes_direct_at on nodes (direct_at) where direct_url <> '';
`
