/** Nodes without a certificate say where they are reached directly, so that the server can prove it. */
export const up = `
-- The https origin at which a node says to be reached directly, if it calls from there; empty: it says none.
alter table nodes add column claimed_url text not null default '';
alter table nodes add column claimed_at timestamptz;
`
