/** Edges cannot make the server check their contents again and again by changing their country. */
export const up = `
-- When its address last moved it from one country to another.
alter table nodes add column country_since timestamptz;
`
