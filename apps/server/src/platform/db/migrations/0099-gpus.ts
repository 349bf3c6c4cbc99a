/** GPUs of orders, which the machine of their workspace has. */
export const up = `
alter table orders add column gpus int not null default 0;
alter table workspaces add column gpus int not null default 0;
`
