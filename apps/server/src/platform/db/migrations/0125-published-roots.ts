/** For the operators' list of what is published. */
export const up = `
create index publications_roots on publications (id) where part_of is null;
create index publications_cid on publications (cid);
`
