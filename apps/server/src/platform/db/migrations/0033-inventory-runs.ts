/** The inventory of a node is bounded. */
export const up = `
-- The contents that a node has named in its inventory, the most it may name (null: the inventory has ended), and the inventories that it
-- began since then.
create unlogged table inventory_runs (
  node_id text primary key,
  named bigint not null,
  most bigint,
  runs int not null,
  since timestamptz not null
);
`
