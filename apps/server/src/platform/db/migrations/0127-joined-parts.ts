/** How often nodes were asked to join the parts of an upload: it costs a node much, and the account nothing. */
export const up = `
alter table object_uploads add column joined int not null default 0;
`
