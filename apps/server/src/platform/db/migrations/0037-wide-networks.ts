/** New edges are limited per IPv6 /32 too, in which one person can have many /48s. */
export const up = `
-- The /32 of the IPv6 address of the first registration; '' for others.
alter table nodes add column joined_wide text not null default '';
create index nodes_joined_wide on nodes (joined_wide, created_at) where joined_wide <> '';
`
