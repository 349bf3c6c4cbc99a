/** The region of a node comes from an operator or from its address. What it says about itself is kept beside it. */
export const up = `
-- What the node says; '' until an older server's row is registered again.
alter table nodes add column declared_area text not null default '';
-- Where an operator says it is; null: nobody does.
alter table nodes add column assigned_area text;
-- The country (as in area ids) of its address, by the database of addresses; null if that does not know it.
alter table nodes add column located_country text;
-- The address at which the server last reached it; null: not yet at this URL.
alter table nodes add column reached_ip text;
update nodes set declared_area = area_id;
`
