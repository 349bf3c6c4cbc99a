/** Each node is audited more often, so the audits of a copy, and the open audits of a node, are found by indexes of their own. */
export const up = `
create index audits_copy on audits (cid, node_id, done_at desc);
drop index audits_replica;
create index audits_open_node on audits (node_id) where state = 'open';
`
