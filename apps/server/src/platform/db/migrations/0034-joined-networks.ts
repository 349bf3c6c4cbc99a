/** New edges per network are limited. */
export const up = `
-- The network of the first registration; '' for nodes that registered before.
alter table nodes add column joined_from text not null default '';
create index nodes_joined on nodes (joined_from, created_at) where joined_from <> '';
`
