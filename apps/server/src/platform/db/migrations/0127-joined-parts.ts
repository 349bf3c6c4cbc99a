/** How often nodes were asked to join what they received with a receipt: it costs a node much, and the account nothing. */
export const up = `
alter table receipts add column joined int not null default 0;
`
